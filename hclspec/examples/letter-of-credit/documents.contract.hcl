# What the parties hand on. Whoever holds one has it on a place of its own.
document "dispatch" { title = "the certificate of dispatch" }

document "title" { title = "the certificate of title" }

document "receipt" { title = "the buyer's receipt" }
