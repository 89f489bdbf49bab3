// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"

/*
 * Smoke test of mr_rob in Icarus: streams of 16 entries, every expected value worked out by hand from the text of rules
 * rob.open, rob.packet and rob.walker. Run twice: sinks always ready, and ready in one cycle of three.
 */
module mr_rob_tb;

  localparam MAX = 128;
  localparam [31:0] M1 = 32'hFFFFFFFF;  // the message before the wrap

  reg clk = 1'b0, rst = 1'b1;
  always #2 clk = !clk;

  reg [193:0] request[0:MAX-1];  // op, connection, stream, message, length, bytes, opcode, ordinal, immediate
  reg [18:0] expected[0:MAX-1];  // verdict, retired
  reg [175:0] completion[0:MAX-1];  // connection, stream, message, length, opcode, ordinal, immediate
  integer requests, completions, sent, answered, completed, floors, cycle, pass, errors;

  reg s_req_valid;
  wire s_req_ready;
  wire [1:0] s_req_op;
  wire [23:0] s_req_connection;
  wire [15:0] s_req_stream, s_req_bytes;
  wire [31:0] s_req_message, s_req_length, s_req_ordinal, s_req_immediate;
  wire [7:0] s_req_opcode;
  wire m_rsp_valid, m_cqe_valid;
  reg sink_ready;
  wire [1:0] m_rsp_op;
  wire [23:0] m_rsp_connection, m_cqe_connection, dbg_floor_connection;
  wire [15:0] m_rsp_stream, m_rsp_retired, m_cqe_stream, dbg_floor_stream;
  wire [31:0] m_rsp_message, m_cqe_message, m_cqe_length, m_cqe_ordinal, m_cqe_immediate, dbg_floor_floor;
  wire [2:0] m_rsp_verdict;
  wire [7:0] m_cqe_opcode;
  wire dbg_update_valid, dbg_floor_valid, stat_quiet;
  wire [31:0] count_counted, count_completed, count_stale, count_beyond, count_inconsistent, count_closed, count_retired;
  wire [63:0] id_spec_hash;

  assign {s_req_op, s_req_connection, s_req_stream, s_req_message, s_req_length, s_req_bytes, s_req_opcode, s_req_ordinal,
          s_req_immediate} = request[sent];

  mr_rob #(
      .CONNECTIONS  (4),
      .STREAMS      (2),
      .REORDER_DEPTH(16)
  ) dut (
      .clk                  (clk),
      .rst                  (rst),
      .s_req_valid          (s_req_valid),
      .s_req_ready          (s_req_ready),
      .s_req_op             (s_req_op),
      .s_req_connection     (s_req_connection),
      .s_req_stream         (s_req_stream),
      .s_req_message        (s_req_message),
      .s_req_length         (s_req_length),
      .s_req_bytes          (s_req_bytes),
      .s_req_opcode         (s_req_opcode),
      .s_req_ordinal        (s_req_ordinal),
      .s_req_immediate      (s_req_immediate),
      .m_rsp_valid          (m_rsp_valid),
      .m_rsp_ready          (sink_ready),
      .m_rsp_op             (m_rsp_op),
      .m_rsp_connection     (m_rsp_connection),
      .m_rsp_stream         (m_rsp_stream),
      .m_rsp_message        (m_rsp_message),
      .m_rsp_verdict        (m_rsp_verdict),
      .m_rsp_retired        (m_rsp_retired),
      .m_cqe_valid          (m_cqe_valid),
      .m_cqe_ready          (sink_ready),
      .m_cqe_connection     (m_cqe_connection),
      .m_cqe_stream         (m_cqe_stream),
      .m_cqe_message        (m_cqe_message),
      .m_cqe_length         (m_cqe_length),
      .m_cqe_opcode         (m_cqe_opcode),
      .m_cqe_ordinal        (m_cqe_ordinal),
      .m_cqe_immediate      (m_cqe_immediate),
      .dbg_update_valid     (dbg_update_valid),
      .dbg_update_connection(),
      .dbg_update_stream    (),
      .dbg_update_message   (),
      .dbg_update_verdict   (),
      .dbg_update_head      (),
      .dbg_floor_valid      (dbg_floor_valid),
      .dbg_floor_connection (dbg_floor_connection),
      .dbg_floor_stream     (dbg_floor_stream),
      .dbg_floor_floor      (dbg_floor_floor),
      .stat_quiet           (stat_quiet),
      .count_counted        (count_counted),
      .count_completed      (count_completed),
      .count_stale          (count_stale),
      .count_beyond         (count_beyond),
      .count_inconsistent   (count_inconsistent),
      .count_closed         (count_closed),
      .count_retired        (count_retired),
      .id_spec_hash         (id_spec_hash)
  );

  localparam [1:0] OPEN = `MR_ROB_OP_OPEN, PACKET = `MR_ROB_OP_PACKET;
  localparam [2:0] COUNTED = `MR_ROB_VERDICT_COUNTED, COMPLETED = `MR_ROB_VERDICT_COMPLETED,
      STALE = `MR_ROB_VERDICT_STALE, BEYOND = `MR_ROB_VERDICT_BEYOND, INCONSISTENT = `MR_ROB_VERDICT_INCONSISTENT,
      CLOSED = `MR_ROB_VERDICT_CLOSED, OPENED = `MR_ROB_VERDICT_OPENED;
  localparam [7:0] WRITE = `MR_OPCODE_WRITE, SEND = `MR_OPCODE_SEND;

  // The ordinal of a request is its number, its immediate the complement: a completion shows which packet was first.
  task step(input [1:0] op, input [23:0] connection, input [15:0] stream, input [31:0] message, input [31:0] length,
            input [15:0] bytes, input [7:0] opcode, input [2:0] verdict, input [15:0] retired);
    begin
      request[requests]  = {op, connection, stream, message, length, bytes, opcode, requests, ~requests};
      expected[requests] = {verdict, retired};
      requests = requests + 1;
    end
  endtask

  task completes(input [23:0] connection, input [15:0] stream, input [31:0] message, input [31:0] length, input [7:0] opcode,
                 input [31:0] first);
    begin
      completion[completions] = {connection, stream, message, length, opcode, first, ~first};
      completions = completions + 1;
    end
  endtask

  integer i;

  initial begin
    requests = 0;
    completions = 0;
    //   op      conn   stream message  length    bytes     opcode verdict       retired
    step(PACKET, 24'd1, 16'd1, M1,      32'd1000, 16'd400,  WRITE, CLOSED,       16'd0);
    step(OPEN,   24'd1, 16'd1, M1,      32'd0,    16'd0,    WRITE, OPENED,       16'd0);
    step(PACKET, 24'd1, 16'd1, M1,      32'd1000, 16'd400,  WRITE, COUNTED,      16'd0);  // 2
    step(PACKET, 24'd1, 16'd1, 32'd0,   32'd0,    16'd0,    SEND,  COMPLETED,    16'd0);  // 3
    step(PACKET, 24'd1, 16'd1, M1,      32'd1000, 16'd601,  WRITE, INCONSISTENT, 16'd0);
    step(PACKET, 24'd1, 16'd1, M1,      32'd999,  16'd1,    WRITE, INCONSISTENT, 16'd0);
    step(PACKET, 24'd1, 16'd1, M1,      32'd1000, 16'd1,    SEND,  INCONSISTENT, 16'd0);
    step(PACKET, 24'd1, 16'd1, M1,      32'd1000, 16'd600,  WRITE, COMPLETED,    16'd2);
    completes(24'd1, 16'd1, M1,    32'd1000, WRITE, 32'd2);
    completes(24'd1, 16'd1, 32'd0, 32'd0,    SEND,  32'd3);
    step(PACKET, 24'd1, 16'd1, M1,      32'd1000, 16'd600,  WRITE, STALE,        16'd0);
    // head is 1: the ring's last entry, one behind it, and the last one again
    step(PACKET, 24'd1, 16'd1, 32'd16,  32'd5,    16'd5,    SEND,  COMPLETED,    16'd0);  // 9
    step(PACKET, 24'd1, 16'd1, 32'd17,  32'd5,    16'd5,    SEND,  BEYOND,       16'd0);
    step(PACKET, 24'd1, 16'd1, 32'd16,  32'd5,    16'd5,    SEND,  STALE,        16'd0);
    for (i = 1; i <= 14; i = i + 1) begin
      completes(24'd1, 16'd1, i, 32'd65536, WRITE, requests);
      step(PACKET, 24'd1, 16'd1, i,     32'd65536, 16'd65535, WRITE, COUNTED,    16'd0);
      step(PACKET, 24'd1, 16'd1, i,     32'd65536, 16'd1,   WRITE, COMPLETED,    16'd1);
    end
    completes(24'd1, 16'd1, 32'd15, 32'd7, WRITE, requests);
    completes(24'd1, 16'd1, 32'd16, 32'd5, SEND,  32'd9);
    step(PACKET, 24'd1, 16'd1, 32'd15,  32'd7,    16'd7,    WRITE, COMPLETED,    16'd2);
    // a first packet with too many bytes does not start its message
    step(PACKET, 24'd1, 16'd1, 32'd17,  32'd10,   16'd11,   WRITE, INCONSISTENT, 16'd0);
    completes(24'd1, 16'd1, 32'd17, 32'd20, SEND, requests);
    step(PACKET, 24'd1, 16'd1, 32'd17,  32'd20,   16'd20,   SEND,  COMPLETED,    16'd1);
    // OPEN empties the ring
    step(PACKET, 24'd1, 16'd1, 32'd18,  32'd10,   16'd6,    WRITE, COUNTED,      16'd0);
    step(PACKET, 24'd1, 16'd1, 32'd19,  32'd10,   16'd10,   WRITE, COMPLETED,    16'd0);
    step(OPEN,   24'd1, 16'd1, 32'd18,  32'd0,    16'd0,    WRITE, OPENED,       16'd0);
    completes(24'd1, 16'd1, 32'd18, 32'd30, SEND, requests);
    step(PACKET, 24'd1, 16'd1, 32'd18,  32'd30,   16'd6,    SEND,  COUNTED,      16'd0);
    step(PACKET, 24'd1, 16'd1, 32'd18,  32'd30,   16'd24,   SEND,  COMPLETED,    16'd1);
    // no context
    step(PACKET, 24'd1, 16'd2, 32'd0,   32'd0,    16'd0,    SEND,  CLOSED,       16'd0);
    step(OPEN,   24'd4, 16'd0, 32'd0,   32'd0,    16'd0,    SEND,  CLOSED,       16'd0);
    step(PACKET, 24'd1, 16'd0, 32'd0,   32'd0,    16'd0,    SEND,  CLOSED,       16'd0);
  end

  always @* begin
    s_req_valid = !rst && sent < requests;
    sink_ready  = pass == 0 || cycle % 3 == 0;
  end

  task fail(input [32*8-1:0] what, input integer number);
    begin
      $display("FAIL: pass %0d, cycle %0d: %0s %0d", pass, cycle, what, number);
      errors = errors + 1;
    end
  endtask

  always @(posedge clk)
    if (rst) begin
      sent <= 0;
      answered <= 0;
      completed <= 0;
      floors <= 0;
      cycle <= 0;
    end else begin
      cycle <= cycle + 1;
      if (s_req_ready && cycle < 8) fail("ready before the sweep was over", cycle);
      if (s_req_valid && s_req_ready) sent <= sent + 1;
      if (m_rsp_valid && sink_ready) begin
        if ({m_rsp_verdict, m_rsp_retired} !== expected[answered] ||
            {m_rsp_op, m_rsp_connection, m_rsp_stream, m_rsp_message} !== request[answered][193-:74]) begin
          fail("response to request", answered);
          $display("      got verdict %0d, retired %0d", m_rsp_verdict, m_rsp_retired);
        end
        answered <= answered + 1;
      end
      if (m_cqe_valid && sink_ready) begin
        if ({m_cqe_connection, m_cqe_stream, m_cqe_message, m_cqe_length, m_cqe_opcode, m_cqe_ordinal, m_cqe_immediate} !==
            completion[completed]) begin
          fail("completion", completed);
          $display("      got message %h length %0d opcode %0d ordinal %0d", m_cqe_message, m_cqe_length, m_cqe_opcode,
                   m_cqe_ordinal);
        end
        completed <= completed + 1;
      end
      if (dbg_floor_valid) begin
        // A floor is the message behind the one retired, and comes before its completion.
        if ({dbg_floor_connection, dbg_floor_stream} !== completion[floors][175-:40] ||
            dbg_floor_floor !== completion[floors][135-:32] + 32'd1 || completed > floors)
          fail("floor", floors);
        floors <= floors + 1;
      end
    end

  initial begin
    errors = 0;
    for (pass = 0; pass < 2; pass = pass + 1) begin
      rst = 1'b1;
      repeat (20) @(posedge clk);
      rst <= 1'b0;
      repeat (600) @(posedge clk);
      if (answered !== requests) fail("requests answered", answered);
      if (completed !== completions || floors !== completions) fail("completions", completed);
      if (count_counted !== 32'd17 || count_completed !== 32'd21 || count_stale !== 32'd2 || count_beyond !== 32'd1 ||
          count_inconsistent !== 32'd4 || count_closed !== 32'd4 || count_retired !== completions) begin
        fail("counters", 0);
        $display("      got %0d %0d %0d %0d %0d %0d %0d", count_counted, count_completed, count_stale, count_beyond,
                 count_inconsistent, count_closed, count_retired);
      end
      if (stat_quiet !== 1'b1) fail("not quiet at the end", 0);
    end
    if (id_spec_hash !== `MR_SPEC_HASH) fail("id_spec_hash", 0);
    if (errors == 0) $display("PASS");
    $finish;
  end

endmodule

`default_nettype wire
