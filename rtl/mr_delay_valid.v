// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Delay line of one bit that reset clears: marks which stages of a pipeline hold an operation.
 *
 * stage[k] is d of k cycles ago, k = 1 .. CYCLES; stage[0] is d itself.
 */
module mr_delay_valid #(
    parameter CYCLES = 1  // at least 1
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            d,
    output wire [CYCLES:0] stage
);

  reg [CYCLES:1] stage_reg;

  always @(posedge clk) begin
    stage_reg <= stage[CYCLES-1:0];
    if (rst) stage_reg <= {CYCLES{1'b0}};
  end

  assign stage = {stage_reg, d};

endmodule

`default_nettype wire
