package cosim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/verification/cosim"
)

func TestRequestsThatCannotBeServed(t *testing.T) {
	for _, c := range []struct {
		request cosim.Request
		want    string
	}{
		{cosim.Request{Count: 1}, "no unit: name one of sack, rob, rate, rx"},
		{cosim.Request{Unit: "tx", Count: 1}, `unit "tx"`},
		{cosim.Request{Unit: "sack", Config: "huge", Count: 1}, `config "huge": there are small, large`},
		{cosim.Request{Unit: "sack"}, "count 0"},
		{cosim.Request{Unit: "sack", Count: 1, Level: "bit"}, `level "bit"`},
		{cosim.Request{Unit: "sack", Count: 1, Bug: "none"}, `no seeded bug "none"; there are: sack-`},
		{cosim.Request{Unit: "rob", Count: 1, Bug: "sack-wrap"}, "in unit sack, not rob"},
		{cosim.Request{ScenarioFile: "missing.yaml"}, "missing.yaml"},
		{cosim.Request{ScenarioFile: "../scenarios/sack-wrap.yaml", Unit: "rob"}, "is about unit sack, not rob"},
		{cosim.Request{ScenarioFile: "../scenarios/sack-wrap.yaml", Config: "large"}, "is about config small, not large"},
	} {
		c.request.Root, c.request.Out = "../..", t.TempDir()
		report, err := cosim.RunRequest(t.Context(), c.request)
		require.ErrorContains(t, err, c.want)
		require.Nil(t, report)
	}
}
