// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_aimd_window: congestion window, additive increase and multiplicative decrease (spec: rate.aimd steps 2 and 3).
 *
 * One clock; window is the value after the operation of the clock before. No reset: `open` writes the context.
 */
module mr_aimd_window #(
    // contexts
    parameter CONTEXTS = 16,
    // bits of their index
    parameter INDEX_BITS = 4,
    // packets
    parameter [15:0] WINDOW_INITIAL = `MR_PATH_WINDOW_INITIAL,
    parameter [15:0] WINDOW_LIMIT = `MR_PATH_WINDOW_MAX
) (
    input  wire                  clk,
    input  wire [INDEX_BITS-1:0] read_index,

    input  wire                  open,
    // an ACK in a round without marks
    input  wire                  grow,
    // a round with marks ended; never together with grow
    input  wire                  cut,
    input  wire [INDEX_BITS-1:0] index,
    input  wire [          15:0] acked,
    // after this operation
    input  wire [          15:0] alpha,

    // 16.8 packets
    output wire [          23:0] window
);

  localparam [23:0] INITIAL = {WINDOW_INITIAL, 8'd0};
  localparam [23:0] LIMIT = {WINDOW_LIMIT, 8'd0};
  localparam [23:0] LEAST = {`MR_WINDOW_MIN, 8'd0};
  localparam [23:0] INCREASE = {`MR_WINDOW_INCREASE, 8'd0};

  wire [23:0] stored_window;
  wire [31:0] stored_sum;

  reg  [23:0] window_next, window_reg;
  reg  [31:0] sum_next;

  // growth: one step for each window of packets acknowledged
  wire [31:0] sum = stored_sum + {16'd0, acked};
  wire [31:0] packets = {16'd0, stored_window[23:8]};
  wire [24:0] grown = {1'b0, stored_window} + {1'b0, INCREASE};

  // cut by half of alpha
  wire [39:0] product = stored_window * alpha;
  wire [23:0] reduced = stored_window - {1'b0, product[39:17]};
  wire        unused = &{1'b0, product[16:0]};

  assign window = window_reg;

  mr_context_ram #(
    .WIDTH(24 + 32),
    .DEPTH(CONTEXTS),
    .ADDRESS_BITS(INDEX_BITS)
  ) contexts (
    .clk(clk),
    .read_address(read_index),
    .read_data({stored_window, stored_sum}),
    .write_enable(open || grow || cut),
    .write_address(index),
    .write_data({window_next, sum_next})
  );

  always @* begin
    window_next = stored_window;
    sum_next    = stored_sum;
    if (open) begin
      window_next = INITIAL;
      sum_next    = 32'd0;
    end else if (cut) begin
      window_next = reduced < LEAST ? LEAST : reduced;
      sum_next    = 32'd0;
    end else if (grow) begin
      sum_next = sum;
      if (sum >= packets) begin
        sum_next    = sum - packets;
        window_next = grown > {1'b0, LIMIT} ? LIMIT : grown[23:0];
      end
    end
  end

  always @(posedge clk) window_reg <= window_next;

endmodule

`default_nettype wire
