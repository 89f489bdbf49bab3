// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Assertion on a valid/ready stream: once valid, it stays valid and its data stay the same until they are taken.
 *
 * Empty unless FORMAL (yosys -formal: an assert) or MR_CHECK (simulation: a message with %m, then $finish) is defined.
 */
module mr_stream_check #(
    parameter WIDTH = 8  // bits of data
) (
    input wire             clk,
    input wire             rst,
    input wire             valid,
    input wire             ready,
    input wire [WIDTH-1:0] data
);

`ifdef FORMAL
  `define MR_STREAM_CHECK
`endif
`ifdef MR_CHECK
  `define MR_STREAM_CHECK
`endif

`ifdef MR_STREAM_CHECK
  reg stalled_reg;
  reg [WIDTH-1:0] data_reg;

  initial stalled_reg = 1'b0;

  always @(posedge clk) begin
    stalled_reg <= valid && !ready && !rst;
    data_reg <= data;
  end

  // 1. A stalled beat does not go away.  2. A stalled beat does not change.
`ifdef FORMAL
  always @(posedge clk)
    if (stalled_reg && !rst) begin
      assert (valid);
      assert (data == data_reg);
    end
`else
  always @(posedge clk)
    if (stalled_reg && !rst && (valid !== 1'b1 || data !== data_reg)) begin
      $display("%m: a stalled beat was withdrawn or changed at time %0t", $time);
      $finish;
    end
`endif
`else
  wire unused = &{1'b0, clk, rst, valid, ready, data};
`endif

endmodule

`default_nettype wire
