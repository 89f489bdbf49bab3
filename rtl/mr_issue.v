// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Issue and credit of a pipeline that never stalls (spec: cycle.pipeline).
 *
 * issue  an operation enters the pipeline in this cycle: there is one, the unit's own conditions allow it, and its
 *        response will find room: issued before - taken before < CREDITS.
 * taken  a response leaves the output FIFO in this cycle.
 */
module mr_issue #(
    parameter CREDITS = 32  // depth of the output FIFO, at least 1
) (
    input  wire clk,
    input  wire rst,
    input  wire present,
    input  wire allow,
    input  wire taken,
    output wire issue
);

  localparam BITS = $clog2(CREDITS + 1);
  localparam [BITS-1:0] LIMIT = CREDITS[BITS-1:0];

  initial begin
    if (CREDITS < 1) begin
      $display("%m: CREDITS is %0d, must be at least 1", CREDITS);
      $finish;
    end
  end

  reg [BITS-1:0] outstanding_reg;
  reg room_reg;
  wire [BITS-1:0] outstanding_next = outstanding_reg + {{(BITS - 1) {1'b0}}, issue} - {{(BITS - 1) {1'b0}}, taken};

  assign issue = present && allow && room_reg;

  always @(posedge clk) begin
    outstanding_reg <= outstanding_next;
    room_reg <= outstanding_next != LIMIT;
    if (rst) begin
      outstanding_reg <= {BITS{1'b0}};
      room_reg <= 1'b1;
    end
  end

endmodule

`default_nettype wire
