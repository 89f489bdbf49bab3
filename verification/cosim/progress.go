package cosim

import (
	"fmt"
	"io"
	"time"
)

// progress shows on a terminal how far a run has come. A nil progress shows nothing.
type progress struct {
	w     io.Writer
	began time.Time
	last  time.Time
	shown bool
}

func newProgress(w io.Writer) *progress {
	if w == nil {
		return nil
	}
	return &progress{w: w, began: time.Now(), last: time.Now()}
}

// say shows a step of the preparation.
func (p *progress) say(text string) {
	if p != nil {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
		p.shown = true
	}
}

// show shows the cycle reached, a few times a second.
func (p *progress) show(cycle uint64) {
	if p == nil || time.Since(p.last) < 200*time.Millisecond {
		return
	}
	p.last = time.Now()
	p.say(fmt.Sprintf("cycle %d, %.0f kHz", cycle, float64(cycle)/float64(time.Since(p.began).Milliseconds()+1)))
}

// done clears the line.
func (p *progress) done() {
	if p != nil && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
