package receive

import "fmt"

// String tells what waits where at the start of the cycle, for reports.
func (r *Rx) String() string {
	return fmt.Sprintf("beats waiting %d, payload buffer %d, credits %d, inside %d, headers %d, joins %d, moves %d, acks %d, "+
		"configuration %d; out: placements %d, payload %d, completions %d, ack beats %d",
		r.Axis.Len(), r.buffer.start, r.credits.start, r.inside.start, r.headers.Len(), r.joins.Len(), r.moves.Len(),
		r.acks.Len(), r.Cfg.Len(), r.Place.Len(), r.Payload.Len(), r.Rob.Walker.Out.Len(), r.AxisOut.Len())
}
