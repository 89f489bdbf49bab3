// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Delay line: q is d of CYCLES cycles ago. Not reset.
 */
module mr_delay #(
    parameter WIDTH  = 8,  // bits
    parameter CYCLES = 1   // at least 1
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);

  initial begin
    if (WIDTH < 1 || CYCLES < 1) begin
      $display("%m: WIDTH %0d, CYCLES %0d: must be at least 1", WIDTH, CYCLES);
      $finish;
    end
  end

  (* mem2reg *) reg [WIDTH-1:0] stage_reg[0:CYCLES-1];

  always @(posedge clk) begin : shift
    integer k;
    stage_reg[0] <= d;
    for (k = 1; k < CYCLES; k = k + 1) stage_reg[k] <= stage_reg[k-1];
  end

  assign q = stage_reg[CYCLES-1];

endmodule

`default_nettype wire
