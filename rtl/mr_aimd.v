// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_aimd: one AIMD state a context: rounds of marks, mark fraction, window (spec: rate.aimd, rate.fraction).
 *
 * Six clocks from operation to `window` and `alpha`, one operation a clock, also of one context: each recurrence (round,
 * alpha, window) lives in one stage, and data only flows forward between them.
 *
 *   0 round   1 normalise   2 reciprocal   3 fraction   4 alpha   5 window
 *
 * No reset: `open` writes the context.
 */
module mr_aimd #(
    // contexts
    parameter CONTEXTS = 16,
    // bits of their index
    parameter INDEX_BITS = 4,
    // packets, 16 bits each
    parameter [15:0] WINDOW_INITIAL = `MR_PATH_WINDOW_INITIAL,
    parameter [15:0] WINDOW_LIMIT = `MR_PATH_WINDOW_MAX,
    // reciprocals, see mr_aimd_fraction
    parameter RECIPROCAL_FILE = "mr_mark_reciprocal.mem"
) (
    input  wire                  clk,

    // index of the operation that is in stage 0 in the next clock
    input  wire [INDEX_BITS-1:0] read_index,

    // operation in stage 0; at most one of open and ack; neither: the state is only read
    input  wire                  open,
    input  wire                  ack,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          47:0] now,
    input  wire [          31:0] srtt_ns,
    input  wire [          15:0] acked,
    input  wire [          16:0] d_received,
    input  wire [          16:0] d_ce,

    // after the operation: 16.8 packets, 2^-16
    output wire [          23:0] window,
    output wire [          15:0] alpha
);

  localparam TO_ALPHA = 4;

  wire                  round_marked;
  wire                  round_ends;
  wire [          15:0] round_received;
  wire [          15:0] round_ce;
  wire [          15:0] fraction;
  wire [          15:0] new_alpha;

  wire                  alpha_open;
  wire [INDEX_BITS-1:0] alpha_read_index;
  wire [INDEX_BITS-1:0] alpha_index;
  wire                  alpha_ack;
  wire [          15:0] alpha_acked;
  wire                  alpha_marked;
  wire                  alpha_ends;

  wire                  window_open;
  wire [INDEX_BITS-1:0] window_index;
  wire                  window_ack;
  wire [          15:0] window_acked;
  wire                  window_marked;
  wire                  window_ends;

  mr_aimd_round #(
    .CONTEXTS(CONTEXTS),
    .INDEX_BITS(INDEX_BITS)
  ) round (
    .clk(clk),
    .read_index(read_index),
    .open(open),
    .ack(ack),
    .index(index),
    .now(now),
    .srtt_ns(srtt_ns),
    .d_received(d_received),
    .d_ce(d_ce),
    .round_received(round_received),
    .round_ce(round_ce),
    .marked(round_marked),
    .ends(round_ends)
  );

  mr_aimd_fraction #(
    .RECIPROCAL_FILE(RECIPROCAL_FILE)
  ) marks (
    .clk(clk),
    .round_received(round_received),
    .round_ce(round_ce),
    .fraction(fraction)
  );

  mr_delay #(
    .WIDTH(INDEX_BITS),
    .CYCLES(TO_ALPHA - 1)
  ) delay_read_index (
    .clk(clk),
    .d(index),
    .q(alpha_read_index)
  );

  mr_delay #(
    .WIDTH(INDEX_BITS + 2 + 16),
    .CYCLES(TO_ALPHA)
  ) delay_to_alpha (
    .clk(clk),
    .d({index, open, ack, acked}),
    .q({alpha_index, alpha_open, alpha_ack, alpha_acked})
  );

  mr_delay #(
    .WIDTH(2),
    .CYCLES(TO_ALPHA - 1)
  ) delay_round (
    .clk(clk),
    .d({round_marked, round_ends}),
    .q({alpha_marked, alpha_ends})
  );

  mr_aimd_alpha #(
    .CONTEXTS(CONTEXTS),
    .INDEX_BITS(INDEX_BITS)
  ) estimate (
    .clk(clk),
    .read_index(alpha_read_index),
    .open(alpha_open),
    .update(alpha_ends),
    .index(alpha_index),
    .fraction(fraction),
    .alpha(new_alpha)
  );

  mr_delay #(
    .WIDTH(INDEX_BITS + 4 + 16),
    .CYCLES(1)
  ) delay_to_window (
    .clk(clk),
    .d({alpha_index, alpha_open, alpha_ack, alpha_marked, alpha_ends, alpha_acked}),
    .q({window_index, window_open, window_ack, window_marked, window_ends, window_acked})
  );

  mr_aimd_window #(
    .CONTEXTS(CONTEXTS),
    .INDEX_BITS(INDEX_BITS),
    .WINDOW_INITIAL(WINDOW_INITIAL),
    .WINDOW_LIMIT(WINDOW_LIMIT)
  ) windows (
    .clk(clk),
    .read_index(alpha_index),
    .open(window_open),
    .grow(window_ack && !window_marked),
    .cut(window_ends && window_marked),
    .index(window_index),
    .acked(window_acked),
    .alpha(new_alpha),
    .window(window)
  );

  mr_delay #(
    .WIDTH(16),
    .CYCLES(1)
  ) delay_alpha (
    .clk(clk),
    .d(new_alpha),
    .q(alpha)
  );

endmodule

`default_nettype wire
