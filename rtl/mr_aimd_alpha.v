// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_aimd_alpha: moving average of the mark fraction (spec: rate.aimd step 3; RFC 8257).
 *
 * One clock; alpha is the value after the operation of the clock before. No reset: `open` writes the context.
 */
module mr_aimd_alpha #(
    // contexts
    parameter CONTEXTS = 16,
    // bits of their index
    parameter INDEX_BITS = 4
) (
    input  wire                  clk,
    input  wire [INDEX_BITS-1:0] read_index,

    input  wire                  open,
    // a round ended with this fraction
    input  wire                  update,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          15:0] fraction,

    output wire [          15:0] alpha
);

  wire [15:0] stored;
  reg  [15:0] alpha_next, alpha_reg;

  // the decay is at least 1, or alpha would never reach 0
  wire [15:0] decay = stored >> `MR_ALPHA_SHIFT;
  wire [15:0] decay_used = decay == 16'd0 && stored != 16'd0 ? 16'd1 : decay;
  wire [16:0] moved = {1'b0, stored} - {1'b0, decay_used} + {1'b0, fraction >> `MR_ALPHA_SHIFT};

  assign alpha = alpha_reg;

  mr_context_ram #(
    .WIDTH(16),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data(stored),
    .write_enable(open || update),
    .write_address(index),
    .write_data(alpha_next)
  );

  always @* begin
    alpha_next = stored;
    if (open) alpha_next = `MR_ALPHA_INITIAL;
    else if (update) alpha_next = moved[16] ? 16'hFFFF : moved[15:0];
  end

  always @(posedge clk) alpha_reg <= alpha_next;

endmodule

`default_nettype wire
