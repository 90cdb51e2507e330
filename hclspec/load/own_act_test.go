package load

import (
	"regexp"
	"testing"
)

// TestOwnActs: an obligation or a power that names no event means what it means with its own written out beside it.
func TestOwnActs(t *testing.T) {
	const parties = `
contract "sale" { ends = terminate }
party "seller" {}
party "buyer" { count = 2 }
party "carrier" {}
event "order" { by = all(buyer) }
`
	for name, c := range map[string]struct{ short, long string }{
		"joint bearers": {`
obligation "deliver" {
  title  = "deliver the goods"
  clause = "3"
  bearer = [seller, carrier]
  when   = order
  within = 2
}
power "terminate" {
  bearer = all(buyer)
  when   = deliver.breached
}
`, `
obligation "deliver" {
  title  = "deliver the goods"
  clause = "3"
  bearer = [seller, carrier]
  when   = order
  within = 2
  fulfil = deliver
}
event "deliver" {
  title      = "seller or carrier: deliver the goods"
  clause     = "3"
  by         = any(seller, carrier)
  repeats    = true
  only_while = deliver.owed
}
power "terminate" {
  bearer   = all(buyer)
  when     = deliver.breached
  exercise = terminate
}
event "terminate" {
  by         = any(buyer)
  repeats    = true
  only_while = terminate.held
}
`},
		"an event that is declared": {`
obligation "terminate" {
  bearer = buyer[1]
  when   = order
}
event "terminate" { by = [seller, buyer[1]] }
`, `
obligation "terminate" {
  bearer = buyer[1]
  when   = order
  fulfil = terminate
}
event "terminate" { by = [seller, buyer[1]] }
`},
		"occurrences, and a template": {`
obligation "terminate" {
  bearer = seller
  when   = order
  times  = 2
  every  = 3
  within = 1
}
template "storage" {
  party "keeper" {}
  obligation "store" {
    bearer = all(keeper)
    when   = order
  }
  power "sell" {
    bearer = keeper
    when   = store
  }
}
phase "hall" {
  template = storage
  roles    = { keeper = carrier }
}
`, `
obligation "terminate" {
  bearer = seller
  when   = order
  times  = 2
  every  = 3
  within = 1
  fulfil = terminate
}
event "terminate" {
  by         = seller
  repeats    = true
  only_while = terminate.owed
}
template "storage" {
  party "keeper" {}
  obligation "store" {
    bearer = all(keeper)
    when   = order
    fulfil = store
  }
  event "store" {
    by         = any(keeper)
    repeats    = true
    only_while = store.owed
  }
  power "sell" {
    bearer   = keeper
    when     = store
    exercise = sell
  }
  event "sell" {
    by         = keeper
    repeats    = true
    only_while = sell.held
  }
}
phase "hall" {
  template = storage
  roles    = { keeper = carrier }
}
`},
	} {
		var said [2]string
		for i, text := range []string{c.short, c.long} {
			src := Text(map[string][]byte{"x.contract.hcl": []byte(parties + text)}, "sale", nil)
			if src.Contract == nil {
				t.Fatalf("%s, %d: %v", name, i, src.Diagnostics)
			}
			said[i] = regexp.MustCompile(`,? ?sale/x\.contract\.hcl:[-\d:,]+`).ReplaceAllString(string(dump(src.Contract)), "")
		}
		if said[0] != said[1] {
			t.Errorf("%s means\n%s\nwritten out it means\n%s", name, said[0], said[1])
		}
	}
}
