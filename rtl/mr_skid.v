// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Skid register: cuts a valid/ready stream in both directions, so that no combinational path crosses it. It is the FIFO of
 * depth 2 (spec: cycle.fifo) in registers alone, and mr_fifo uses it for that.
 *
 * One beat a clock, one cycle of latency. enable of cycle t lets s_ready rise in cycle t + 1. Reset empties it; s_ready is
 * low in the first cycle after reset. count is the beats held.
 */
module mr_skid #(
    parameter WIDTH = 8  // bits of a beat
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             enable,
    // in
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    // out
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data,
    // status
    output wire [      1:0] count
);

  reg [WIDTH-1:0] front_reg, skid_reg;
  reg ready_reg, valid_reg, skid_valid_reg;

  wire push = s_valid && ready_reg;
  wire advance = m_ready || !valid_reg;  // the front register may load

  always @(posedge clk) begin
    if (advance) front_reg <= skid_valid_reg ? skid_reg : s_data;
    if (push) skid_reg <= s_data;

    if (advance) begin
      valid_reg <= skid_valid_reg || push;
      skid_valid_reg <= 1'b0;
      ready_reg <= enable;
    end else begin
      skid_valid_reg <= skid_valid_reg || push;
      ready_reg <= enable && !(skid_valid_reg || push);
    end

    if (rst) begin
      ready_reg <= 1'b0;
      valid_reg <= 1'b0;
      skid_valid_reg <= 1'b0;
    end
  end

  assign s_ready = ready_reg;
  assign m_valid = valid_reg;
  assign m_data  = front_reg;
  assign count   = {1'b0, valid_reg} + {1'b0, skid_valid_reg};

  mr_stream_check #(
      .WIDTH(WIDTH)
  ) check (
      .clk  (clk),
      .rst  (rst),
      .valid(m_valid),
      .ready(m_ready),
      .data (m_data)
  );

endmodule

`default_nettype wire
