// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * FIFO, first word fall through, every output a register (spec: cycle.fifo).
 *
 * s_*     stream in: s_ready is (count < DEPTH) and enable, both of the cycle before's end: a beat that leaves in the
 *         same cycle does not make room.
 * m_*     stream out: the oldest entry, valid from the cycle after it was taken.
 * enable  of cycle t lets s_ready rise in cycle t + 1; tie to 1, or to the init sweep's ready_next.
 * count   entries held.
 * Reset empties it; s_ready is low in the first cycle after reset.
 *
 * The oldest entry sits in a register, the others in a memory that is read asynchronously (distributed RAM). A FIFO of two
 * entries is a skid register.
 */
module mr_fifo #(
    parameter WIDTH      = 8,                 // bits of an entry
    parameter DEPTH      = 4,                 // entries, at least 2
    parameter COUNT_BITS = $clog2(DEPTH + 1)  // derived
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  enable,
    // in
    input  wire                  s_valid,
    output wire                  s_ready,
    input  wire [     WIDTH-1:0] s_data,
    // out
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire [     WIDTH-1:0] m_data,
    // status
    output wire [COUNT_BITS-1:0] count
);

  initial begin
    if (WIDTH < 1 || DEPTH < 2) begin
      $display("%m: WIDTH %0d, DEPTH %0d: must be at least 1 and 2", WIDTH, DEPTH);
      $finish;
    end
  end

  generate
    if (DEPTH == 2) begin : registers
      mr_skid #(
          .WIDTH(WIDTH)
      ) skid (
          .clk    (clk),
          .rst    (rst),
          .enable (enable),
          .s_valid(s_valid),
          .s_ready(s_ready),
          .s_data (s_data),
          .m_valid(m_valid),
          .m_ready(m_ready),
          .m_data (m_data),
          .count  (count)
      );
    end else begin : ram
      localparam POINTER_BITS = $clog2(DEPTH);
      localparam [POINTER_BITS-1:0] LAST = DEPTH[POINTER_BITS-1:0] - 1'b1;
      localparam [COUNT_BITS-1:0] FULL = DEPTH[COUNT_BITS-1:0];
      localparam [COUNT_BITS-1:0] ONE = {{(COUNT_BITS - 1) {1'b0}}, 1'b1};

      reg [WIDTH-1:0] memory[0:DEPTH-1];
      reg [WIDTH-1:0] front_reg;
      reg [COUNT_BITS-1:0] count_reg;
      reg [POINTER_BITS-1:0] write_reg, read_reg;
      reg ready_reg, valid_reg;

      wire push = s_valid && ready_reg;
      wire pop = valid_reg && m_ready;
      // An entry that finds the memory empty goes straight to the front.
      wire to_front = push && (!valid_reg || (pop && count_reg == ONE));
      wire from_memory = pop && count_reg != ONE;
      wire [COUNT_BITS-1:0] count_next = count_reg + {{(COUNT_BITS - 1) {1'b0}}, push} - {{(COUNT_BITS - 1) {1'b0}}, pop};

      always @(posedge clk) begin
        if (push && !to_front) memory[write_reg] <= s_data;
        if (to_front) front_reg <= s_data;
        else if (from_memory) front_reg <= memory[read_reg];

        if (push && !to_front) write_reg <= (write_reg == LAST) ? {POINTER_BITS{1'b0}} : write_reg + 1'b1;
        if (from_memory) read_reg <= (read_reg == LAST) ? {POINTER_BITS{1'b0}} : read_reg + 1'b1;
        count_reg <= count_next;
        ready_reg <= enable && count_next != FULL;
        valid_reg <= count_next != {COUNT_BITS{1'b0}};

        if (rst) begin
          write_reg <= {POINTER_BITS{1'b0}};
          read_reg  <= {POINTER_BITS{1'b0}};
          count_reg <= {COUNT_BITS{1'b0}};
          ready_reg <= 1'b0;
          valid_reg <= 1'b0;
        end
      end

      assign s_ready = ready_reg;
      assign m_valid = valid_reg;
      assign m_data  = front_reg;
      assign count   = count_reg;
    end
  endgenerate

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
