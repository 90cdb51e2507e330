package engine_test
import ("testing";"context";"encoding/json";"os";"github.com/redlinehq/redline/engine")
func TestZZ(t *testing.T) {
	b,_ := os.ReadFile("/work/shared/cases/truth/obligation-dropped/base/contract.contract.hcl")
	h,_ := os.ReadFile("/work/shared/cases/truth/obligation-dropped/head/contract.contract.hcl")
	for _, e := range []engine.Engine{engine.Explicit, engine.Symbolic} {
	r := engine.Compare(context.Background(), draftOf(t,string(b)), draftOf(t,string(h)), engine.Budget{Engine:e})
	d := r.Difference
	d.Changes=nil; d.Picture=nil
	s,_ := json.MarshalIndent(d.All,"","  ")
	t.Logf("%s", s)
	s,_ = json.MarshalIndent(d.Views,"","  ")
	t.Logf("%s", s)
	}
}
