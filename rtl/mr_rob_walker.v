// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"

/*
 * Walker of the reorder buffer: turns runs of complete messages into completions, one a clock (spec: rob.walker).
 *
 * run        a run enters the run FIFO: its stream, first message and number of messages (not 0)
 * run_taken  a run leaves the run FIFO in this cycle
 * idle       no run is being walked (the FIFO may hold some)
 * retire     a message retires in this cycle; retire_floor is the message after it
 * read_*     its entry is read then; read_data comes one cycle later
 * m_cqe      completions; the one of a retire enters the FIFO `MR_ROB_RETIRE_CYCLES later (completed)
 * dbg_floor  a retire of cycle t shows in t + 1
 */
module mr_rob_walker #(
    parameter REORDER_DEPTH = 16,  // messages of a ring, a power of two
    parameter INDEX_BITS    = 4,   // bits of a stream's index
    parameter LOG           = $clog2(REORDER_DEPTH),  // derived
    parameter DATA_BITS     = `MR_ROB_CQE_LENGTH_BITS + `MR_ROB_CQE_OPCODE_BITS + `MR_ROB_CQE_ORDINAL_BITS +
                              `MR_ROB_CQE_IMMEDIATE_BITS  // derived
) (
    input  wire                                    clk,
    input  wire                                    rst,
    // runs
    input  wire                                    run,
    input  wire [`MR_ROB_CQE_CONNECTION_BITS-1:0] run_connection,
    input  wire [    `MR_ROB_CQE_STREAM_BITS-1:0] run_stream,
    input  wire [                 INDEX_BITS-1:0] run_index,
    input  wire [   `MR_ROB_CQE_MESSAGE_BITS-1:0] run_message,
    input  wire [   `MR_ROB_RSP_RETIRED_BITS-1:0] run_count,
    output wire                                    run_taken,
    output wire                                    idle,
    // floor table
    output wire                                    retire,
    output wire [                 INDEX_BITS-1:0] retire_index,
    output wire [   `MR_ROB_CQE_MESSAGE_BITS-1:0] retire_floor,
    // entries
    output wire [             INDEX_BITS+LOG-1:0] read_address,
    input  wire [                  DATA_BITS-1:0] read_data,
    // completions
    output wire                                    completed,
    output wire                                    m_cqe_valid,
    input  wire                                    m_cqe_ready,
    output wire [`MR_ROB_CQE_CONNECTION_BITS-1:0] m_cqe_connection,
    output wire [    `MR_ROB_CQE_STREAM_BITS-1:0] m_cqe_stream,
    output wire [   `MR_ROB_CQE_MESSAGE_BITS-1:0] m_cqe_message,
    output wire [    `MR_ROB_CQE_LENGTH_BITS-1:0] m_cqe_length,
    output wire [    `MR_ROB_CQE_OPCODE_BITS-1:0] m_cqe_opcode,
    output wire [   `MR_ROB_CQE_ORDINAL_BITS-1:0] m_cqe_ordinal,
    output wire [ `MR_ROB_CQE_IMMEDIATE_BITS-1:0] m_cqe_immediate,
    // events
    output wire                                          dbg_floor_valid,
    output wire [`MR_ROB_DBG_FLOOR_CONNECTION_BITS-1:0] dbg_floor_connection,
    output wire [    `MR_ROB_DBG_FLOOR_STREAM_BITS-1:0] dbg_floor_stream,
    output wire [     `MR_ROB_DBG_FLOOR_FLOOR_BITS-1:0] dbg_floor_floor
);

  localparam CONNECTION_BITS = `MR_ROB_CQE_CONNECTION_BITS;
  localparam STREAM_BITS = `MR_ROB_CQE_STREAM_BITS;
  localparam MESSAGE_BITS = `MR_ROB_CQE_MESSAGE_BITS;
  localparam COUNT_BITS = `MR_ROB_RSP_RETIRED_BITS;
  localparam KEY_BITS = CONNECTION_BITS + STREAM_BITS;
  localparam RUN_BITS = KEY_BITS + INDEX_BITS + MESSAGE_BITS + COUNT_BITS;
  localparam RETIRE_CYCLES = `MR_ROB_RETIRE_CYCLES;

  initial begin
    if (RETIRE_CYCLES < 3) begin
      $display("%m: built for 3 retire cycles or more, not %0d", RETIRE_CYCLES);
      $finish;
    end
  end

  // -------------------------------------------------------------------------------- run FIFO
  wire waiting, run_ready;
  wire [KEY_BITS-1:0] next_key;
  wire [INDEX_BITS-1:0] next_index;
  wire [MESSAGE_BITS-1:0] next_message;
  wire [COUNT_BITS-1:0] next_count;
  wire [$clog2(`MR_ROB_RUN_FIFO_DEPTH+1)-1:0] unused_runs;

  mr_fifo #(
      .WIDTH(RUN_BITS),
      .DEPTH(`MR_ROB_RUN_FIFO_DEPTH)
  ) run_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(run),
      .s_ready(run_ready),
      .s_data ({run_connection, run_stream, run_index, run_message, run_count}),
      .m_valid(waiting),
      .m_ready(run_taken),
      .m_data ({next_key, next_index, next_message, next_count}),
      .count  (unused_runs)
  );

  // -------------------------------------------------------------------------------- walker
  reg busy_reg;
  reg [KEY_BITS-1:0] key_reg;
  reg [INDEX_BITS-1:0] index_reg;
  reg [MESSAGE_BITS-1:0] message_reg;
  reg [COUNT_BITS-1:0] left_reg;
  wire last = left_reg == {{(COUNT_BITS - 1) {1'b0}}, 1'b1};
  wire ends = retire && last;
  wire [MESSAGE_BITS-1:0] message_next = message_reg + 1'b1;

  mr_issue #(
      .CREDITS(`MR_ROB_COMPLETION_FIFO_DEPTH)
  ) credit (
      .clk    (clk),
      .rst    (rst),
      .present(busy_reg),
      .allow  (1'b1),
      .taken  (m_cqe_valid && m_cqe_ready),
      .issue  (retire)
  );

  assign run_taken = waiting && (!busy_reg || ends);
  assign idle = !busy_reg;
  assign retire_index = index_reg;
  assign retire_floor = message_next;
  assign read_address = {index_reg, message_reg[LOG-1:0]};

  always @(posedge clk) begin
    if (run_taken) begin
      busy_reg <= 1'b1;
      key_reg <= next_key;
      index_reg <= next_index;
      message_reg <= next_message;
      left_reg <= next_count;
    end else if (retire) begin
      busy_reg <= !last;
      message_reg <= message_next;
      left_reg <= left_reg - 1'b1;
    end
    if (rst) busy_reg <= 1'b0;
  end

  // -------------------------------------------------------------------------------- completions
  wire [RETIRE_CYCLES:0] retired;
  wire [KEY_BITS-1:0] key_done;
  wire [MESSAGE_BITS-1:0] message_done;
  wire [DATA_BITS-1:0] data_done;
  wire completion_ready;
  wire [$clog2(`MR_ROB_COMPLETION_FIFO_DEPTH+1)-1:0] unused_completions;

  mr_delay_valid #(
      .CYCLES(RETIRE_CYCLES)
  ) delay_retire (
      .clk  (clk),
      .rst  (rst),
      .d    (retire),
      .stage(retired)
  );

  mr_delay #(
      .WIDTH (KEY_BITS + MESSAGE_BITS),
      .CYCLES(RETIRE_CYCLES)
  ) delay_key (
      .clk(clk),
      .d  ({key_reg, message_reg}),
      .q  ({key_done, message_done})
  );

  mr_delay #(
      .WIDTH (DATA_BITS),
      .CYCLES(RETIRE_CYCLES - 1)
  ) delay_data (
      .clk(clk),
      .d  (read_data),
      .q  (data_done)
  );

  assign completed = retired[RETIRE_CYCLES];

  mr_fifo #(
      .WIDTH(KEY_BITS + MESSAGE_BITS + DATA_BITS),
      .DEPTH(`MR_ROB_COMPLETION_FIFO_DEPTH)
  ) completion_fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(completed),
      .s_ready(completion_ready),
      .s_data ({key_done, message_done, data_done}),
      .m_valid(m_cqe_valid),
      .m_ready(m_cqe_ready),
      .m_data ({m_cqe_connection, m_cqe_stream, m_cqe_message, m_cqe_length, m_cqe_opcode, m_cqe_ordinal, m_cqe_immediate}),
      .count  (unused_completions)
  );

  // -------------------------------------------------------------------------------- events
  reg [KEY_BITS-1:0] floor_key_reg;
  reg [MESSAGE_BITS-1:0] floor_reg;

  always @(posedge clk) begin
    floor_key_reg <= key_reg;
    floor_reg <= message_next;
  end

  assign dbg_floor_valid = retired[1];
  assign {dbg_floor_connection, dbg_floor_stream} = floor_key_reg;
  assign dbg_floor_floor = floor_reg;

  wire unused = &{1'b0, unused_runs, unused_completions, run_ready, completion_ready, retired[RETIRE_CYCLES-1:2]};

`ifdef FORMAL
  // 1. A run and a completion always find room.
  always @(posedge clk)
    if (!rst) begin
      if (run) assert (run_ready && run_count != 0);
      if (completed) assert (completion_ready);
    end
`endif

endmodule

`default_nettype wire
