// Package testnets has nets for tests: small ones by name, the paper's sale, random ones, and a naive reading of their reachable markings.
package testnets
