// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_rate_delta: what an ACK's cumulative counters add since the path's last ACK (spec: rate.ack step 2).
 *
 * Stages 5 and 6 of mr_rate: the first holds the recurrence, the second limits. The outputs belong to the operation that
 * was in stage 5 two clocks before. No reset: OPEN_PATH writes the context.
 */
module mr_rate_delta #(
    // path contexts
    parameter CONTEXTS = 16,
    // bits of their index
    parameter INDEX_BITS = 4
) (
    input  wire                  clk,

    // index of the operation that is in the first stage in the next clock
    input  wire [INDEX_BITS-1:0] read_index,

    // operation in the first stage; loss: count one marked packet more
    input  wire                  open_path,
    input  wire                  ack,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          31:0] received,
    input  wire [          31:0] ce_marked,
    input  wire                  loss,

    output wire [          16:0] d_received,
    output wire [          16:0] d_ce,
    output wire                  stale
);

  wire [31:0] last_received;
  wire [31:0] last_ce;

  reg         ack_reg;
  reg         loss_reg;
  reg         behind_reg;
  reg  [31:0] raw_received_reg;
  reg  [31:0] raw_ce_reg;

  reg  [16:0] d_received_reg;
  reg  [16:0] d_ce_reg;
  reg         stale_reg;

  wire        behind;
  wire [31:0] added;
  wire [15:0] limited_received = behind_reg ? 16'd0 : raw_received_reg > 32'd65535 ? 16'hFFFF : raw_received_reg[15:0];
  wire [15:0] limited_ce = raw_ce_reg > {16'd0, limited_received} ? limited_received : raw_ce_reg[15:0];

  assign d_received = d_received_reg;
  assign d_ce       = d_ce_reg;
  assign stale      = stale_reg;

  mr_context_ram #(
    .WIDTH(64),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data({last_received, last_ce}),
    .write_enable(open_path || (ack && !behind)),
    .write_address(index),
    .write_data(open_path ? 64'd0 : {received, ce_marked})
  );

  mr_seq_before #(
    .WIDTH(32)
  ) counters_behind (
    .a(received),
    .b(last_received),
    .distance(added),
    .is_before(behind)
  );

  always @(posedge clk) begin
    ack_reg          <= ack;
    loss_reg         <= loss;
    behind_reg       <= behind;
    raw_received_reg <= added;
    raw_ce_reg       <= ce_marked - last_ce;

    d_received_reg   <= {1'b0, limited_received} + {16'd0, loss_reg};
    d_ce_reg         <= {1'b0, limited_ce} + {16'd0, loss_reg};
    stale_reg        <= ack_reg && behind_reg;
  end

endmodule

`default_nettype wire
