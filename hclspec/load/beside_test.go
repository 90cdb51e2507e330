package load

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestFilesInTheWrongDirectory: a file that lies above or below its contract is named as that, once where it lies and once where its names are missed.
func TestFilesInTheWrongDirectory(t *testing.T) {
	whole := "contract \"flat\" {}\nparty \"tenant\" {\n  state \"in\" {}\n}\nevent \"move\" { by = landlord }\n"
	part := "party \"landlord\" {\n  state \"idle\" {}\n}\nobligation \"pay\" {\n  bearer = tenant\n  within = 3\n}\n"
	for name, c := range map[string]struct {
		files fstest.MapFS
		dir   string
		want  []string
	}{
		"above": {fstest.MapFS{"x.contract.hcl": {Data: []byte(part)}, "flat/a.contract.hcl": {Data: []byte(whole)}}, ".",
			[]string{"x.contract.hcl lies beside flat: move it there."}},
		"missed, above": {fstest.MapFS{"x.contract.hcl": {Data: []byte(part)}, "flat/a.contract.hcl": {Data: []byte(whole)}}, "flat",
			[]string{`There is no party "landlord". It may be in x.contract.hcl, which lies beside flat: move that into flat.`}},
		"below": {fstest.MapFS{"flat/sub/x.contract.hcl": {Data: []byte(part)}, "flat/sub/y.contract.hcl": {}, "flat/a.contract.hcl": {Data: []byte(whole)}}, "flat/sub",
			[]string{"x.contract.hcl lies below flat: move it there. So do the others here."}},
		"missed, below": {fstest.MapFS{"flat/sub/x.contract.hcl": {Data: []byte(part)}, "flat/a.contract.hcl": {Data: []byte(whole)}}, "flat",
			[]string{`There is no party "landlord". It may be in flat/sub/x.contract.hcl, which lies below flat: move that into flat.`}},
		"below the root": {fstest.MapFS{"sub/x.contract.hcl": {Data: []byte(part)}, "a.contract.hcl": {Data: []byte(whole)}}, "sub",
			[]string{"x.contract.hcl lies below the contract: move it into the directory above."}},
		"missed, below the root": {fstest.MapFS{"sub/x.contract.hcl": {Data: []byte(part)}, "a.contract.hcl": {Data: []byte(whole)}}, ".",
			[]string{`There is no party "landlord". It may be in sub/x.contract.hcl, which lies in a directory below: move that up.`}},
		"two contracts": {fstest.MapFS{"x.contract.hcl": {Data: []byte(part)}, "a/a.contract.hcl": {Data: []byte(whole)}, "b/a.contract.hcl": {Data: []byte(whole)}}, ".",
			[]string{"x.contract.hcl lies beside a and other contracts: move it into the one that it is part of."}},
		"another contract is no part": {fstest.MapFS{"x.contract.hcl": {Data: []byte(whole + part)}, "flat/a.contract.hcl": {Data: []byte(whole)}}, "flat",
			[]string{`There is no party "landlord".`}},
		"wrong ending, told once": {fstest.MapFS{"flat/x.hcl": {Data: []byte(part)}, "flat/a.contract.hcl": {Data: []byte(whole)}}, "flat",
			[]string{`There is no party "landlord". It may be in x.hcl, which is not read: rename that to x.contract.hcl.`}},
	} {
		src, err := Dir(c.files, c.dir, c.dir, nil)
		if err != nil || len(src.Diagnostics) != len(c.want) {
			t.Errorf("%s: %v, %v", name, err, src.Diagnostics)
			continue
		}
		for i, d := range src.Diagnostics {
			said := strings.Replace(d.Summary+" "+d.Detail, "There are: tenant. ", "", 1)
			if !strings.HasPrefix(said, c.want[i]) || strings.Contains(said, "which") != strings.Contains(c.want[i], "which") {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
}
