// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * mr_aimd_round: packets and marks of the running round, and its end (spec: rate.aimd steps 1 and 3).
 *
 * One clock. The outputs are the counts after this operation, as they were before a round's end clears them, and belong
 * to the operation of the clock before. No reset: `open` writes the context.
 */
module mr_aimd_round #(
    // contexts
    parameter CONTEXTS = 16,
    // bits of their index
    parameter INDEX_BITS = 4
) (
    input  wire                  clk,
    input  wire [INDEX_BITS-1:0] read_index,

    input  wire                  open,
    input  wire                  ack,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          47:0] now,
    input  wire [          31:0] srtt_ns,
    input  wire [          16:0] d_received,
    input  wire [          16:0] d_ce,

    output wire [          15:0] round_received,
    output wire [          15:0] round_ce,
    // round_ce is not 0
    output wire                  marked,
    // an ACK ended the round
    output wire                  ends
);

  localparam WIDTH = 16 + 16 + 48;

  wire [15:0] stored_received;
  wire [15:0] stored_ce;
  wire [47:0] stored_start;

  reg  [15:0] round_received_reg;
  reg  [15:0] round_ce_reg;
  reg         marked_reg;
  reg         ends_reg;

  // 16 bits and 17 bits need 18 for their sum
  wire [17:0] sum_received = {2'b00, stored_received} + {1'b0, d_received};
  wire [17:0] sum_ce = {2'b00, stored_ce} + {1'b0, d_ce};
  wire [15:0] new_received = sum_received[17:16] != 2'b00 ? 16'hFFFF : sum_received[15:0];
  wire [15:0] new_ce = sum_ce[17:16] != 2'b00 ? 16'hFFFF : sum_ce[15:0];
  wire [47:0] elapsed = now - stored_start;
  wire        round_over = new_received != 16'd0 && elapsed >= {16'd0, srtt_ns};

  assign round_received = round_received_reg;
  assign round_ce       = round_ce_reg;
  assign marked         = marked_reg;
  assign ends           = ends_reg;

  mr_context_ram #(
    .WIDTH(WIDTH),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data({stored_received, stored_ce, stored_start}),
    .write_enable(open || ack),
    .write_address(index),
    .write_data(open || round_over ? {32'd0, now} : {new_received, new_ce, stored_start})
  );

  always @(posedge clk) begin
    round_received_reg <= new_received;
    round_ce_reg       <= new_ce;
    marked_reg         <= new_ce != 16'd0;
    ends_reg           <= ack && round_over;
  end

endmodule

`default_nettype wire
