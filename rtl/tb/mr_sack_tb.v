// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

`include "mr_profile.vh"

/*
 * Smoke test of mr_sack in Icarus: one path, back to back, every expected value worked out by hand from the text of
 * rules sack.open, sack.classify and sack.packet. Run twice: sink always ready (one response a clock is demanded), and
 * sink ready in one cycle of three.
 */
module mr_sack_tb;

  localparam MAX = 1024;
  localparam [31:0] M1 = 32'hFFFFFFFF, M2 = 32'hFFFFFFFE;  // PSNs before the wrap

  reg clk = 1'b0, rst = 1'b1;
  always #2 clk = !clk;

  // request: op, connection, path, psn, ce, ack_request, tail, refused
  reg [73:0] request[0:MAX-1];
  // response: class, ack_now, cumulative, next, received, ce_marked, vector
  reg [387:0] expected[0:MAX-1];
  integer requests, sent, answered, first_answer, cycle, pass, errors;

  reg s_req_valid;
  wire s_req_ready;
  wire [1:0] s_req_op;
  wire [23:0] s_req_connection;
  wire [11:0] s_req_path;
  wire [31:0] s_req_psn;
  wire s_req_ce, s_req_ack_request, s_req_tail, s_req_refused;
  wire m_rsp_valid;
  reg m_rsp_ready;
  wire [1:0] m_rsp_op;
  wire [23:0] m_rsp_connection;
  wire [11:0] m_rsp_path;
  wire [31:0] m_rsp_psn, m_rsp_cumulative, m_rsp_next, m_rsp_received, m_rsp_ce_marked;
  wire [2:0] m_rsp_class;
  wire m_rsp_ack_now;
  wire [255:0] m_rsp_vector;
  wire dbg_update_valid;
  wire [31:0] count_new_in_order, count_new_out_of_order, count_duplicate, count_old, count_beyond, count_closed,
      count_refused;
  wire [63:0] id_spec_hash;

  assign {s_req_op, s_req_connection, s_req_path, s_req_psn, s_req_ce, s_req_ack_request, s_req_tail, s_req_refused} =
      request[sent];

  mr_sack #(
      .CONNECTIONS(4),
      .PATHS      (4)
  ) dut (
      .clk                   (clk),
      .rst                   (rst),
      .s_req_valid           (s_req_valid),
      .s_req_ready           (s_req_ready),
      .s_req_op              (s_req_op),
      .s_req_connection      (s_req_connection),
      .s_req_path            (s_req_path),
      .s_req_psn             (s_req_psn),
      .s_req_ce              (s_req_ce),
      .s_req_ack_request     (s_req_ack_request),
      .s_req_tail            (s_req_tail),
      .s_req_refused         (s_req_refused),
      .m_rsp_valid           (m_rsp_valid),
      .m_rsp_ready           (m_rsp_ready),
      .m_rsp_op              (m_rsp_op),
      .m_rsp_connection      (m_rsp_connection),
      .m_rsp_path            (m_rsp_path),
      .m_rsp_psn             (m_rsp_psn),
      .m_rsp_class           (m_rsp_class),
      .m_rsp_ack_now         (m_rsp_ack_now),
      .m_rsp_cumulative      (m_rsp_cumulative),
      .m_rsp_next            (m_rsp_next),
      .m_rsp_received        (m_rsp_received),
      .m_rsp_ce_marked       (m_rsp_ce_marked),
      .m_rsp_vector          (m_rsp_vector),
      .dbg_update_valid      (dbg_update_valid),
      .dbg_update_connection (),
      .dbg_update_path       (),
      .dbg_update_psn        (),
      .dbg_update_class      (),
      .dbg_update_cumulative (),
      .dbg_update_next       (),
      .count_new_in_order    (count_new_in_order),
      .count_new_out_of_order(count_new_out_of_order),
      .count_duplicate       (count_duplicate),
      .count_old             (count_old),
      .count_beyond          (count_beyond),
      .count_closed          (count_closed),
      .count_refused         (count_refused),
      .id_spec_hash          (id_spec_hash)
  );

  // flags: {ce, ack_request, tail, refused}
  task step(input [1:0] op, input [23:0] connection, input [11:0] path, input [31:0] psn, input [3:0] flags,
            input [2:0] class, input ack_now, input [31:0] cumulative, input [31:0] next, input [31:0] received,
            input [31:0] ce_marked, input [255:0] vector);
    begin
      request[requests]  = {op, connection, path, psn, flags};
      expected[requests] = {class, ack_now, cumulative, next, received, ce_marked, vector};
      requests = requests + 1;
    end
  endtask

  localparam [1:0] OPEN = `MR_SACK_OP_OPEN, PACKET = `MR_SACK_OP_PACKET;
  localparam [2:0] IN_ORDER = `MR_SACK_CLASS_NEW_IN_ORDER, OUT_OF_ORDER = `MR_SACK_CLASS_NEW_OUT_OF_ORDER,
      DUPLICATE = `MR_SACK_CLASS_DUPLICATE, OLD = `MR_SACK_CLASS_OLD, BEYOND = `MR_SACK_CLASS_BEYOND,
      CLOSED = `MR_SACK_CLASS_CLOSED, OPENED = `MR_SACK_CLASS_OPENED;
  localparam [255:0] NONE = 256'd0, BIT0 = 256'd1;
  integer i;

  initial begin
    requests = 0;
    //   op      conn   path   psn      flags    class         ack   cumulative next     received ce     vector
    step(PACKET, 24'd0, 12'd0, 32'd5,   4'b0000, CLOSED,       1'b0, 32'd0,     32'd0,   32'd0,   32'd0, NONE);
    step(OPEN,   24'd0, 12'd0, M2,      4'b0000, OPENED,       1'b0, M2,        M2,      32'd0,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, M2,      4'b0000, IN_ORDER,     1'b0, M1,        M1,      32'd1,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd0,   4'b0000, OUT_OF_ORDER, 1'b1, M1,        32'd1,   32'd2,   32'd0, BIT0 << 1);
    step(PACKET, 24'd0, 12'd0, M1,      4'b0000, IN_ORDER,     1'b1, 32'd1,     32'd1,   32'd3,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd1,   4'b0000, IN_ORDER,     1'b0, 32'd2,     32'd2,   32'd4,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd2,   4'b0000, IN_ORDER,     1'b1, 32'd3,     32'd3,   32'd5,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd2,   4'b0000, OLD,          1'b1, 32'd3,     32'd3,   32'd6,   32'd0, NONE);
    // both ends of the window, and one behind it
    step(PACKET, 24'd0, 12'd0, 32'd258, 4'b0000, OUT_OF_ORDER, 1'b1, 32'd3,     32'd259, 32'd7,   32'd0, BIT0 << 255);
    step(PACKET, 24'd0, 12'd0, 32'd259, 4'b0000, BEYOND,       1'b1, 32'd3,     32'd259, 32'd8,   32'd0, BIT0 << 255);
    step(PACKET, 24'd0, 12'd0, 32'd258, 4'b0000, DUPLICATE,    1'b1, 32'd3,     32'd259, 32'd9,   32'd0, BIT0 << 255);
    step(PACKET, 24'd0, 12'd0, 32'd3,   4'b0001, IN_ORDER,     1'b1, 32'd3,     32'd259, 32'd10,  32'd0, BIT0 << 255);
    step(PACKET, 24'd0, 12'd0, 32'd3,   4'b0000, IN_ORDER,     1'b1, 32'd4,     32'd259, 32'd11,  32'd0, BIT0 << 254);
    step(PACKET, 24'd0, 12'd0, 32'd259, 4'b0000, OUT_OF_ORDER, 1'b1, 32'd4,     32'd260, 32'd12,  32'd0, (BIT0 << 255) | (BIT0 << 254));
    // 4 .. 256 in order: each closes in on the two that wait; 257 joins them
    for (i = 4; i <= 256; i = i + 1)
      step(PACKET, 24'd0, 12'd0, i,     4'b0000, IN_ORDER,     1'b1, i + 1,     32'd260, i + 9,   32'd0, 256'd3 << (257 - i));
    step(PACKET, 24'd0, 12'd0, 32'd257, 4'b0000, IN_ORDER,     1'b1, 32'd260,   32'd260, 32'd266, 32'd0, NONE);
    // why an ACK is due: CE changes to 1, second packet, CE changes back, ACK request, tail
    step(PACKET, 24'd0, 12'd0, 32'd260, 4'b1000, IN_ORDER,     1'b1, 32'd261,   32'd261, 32'd267, 32'd1, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd261, 4'b1000, IN_ORDER,     1'b0, 32'd262,   32'd262, 32'd268, 32'd2, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd262, 4'b1000, IN_ORDER,     1'b1, 32'd263,   32'd263, 32'd269, 32'd3, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd263, 4'b0000, IN_ORDER,     1'b1, 32'd264,   32'd264, 32'd270, 32'd3, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd264, 4'b0100, IN_ORDER,     1'b1, 32'd265,   32'd265, 32'd271, 32'd3, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd265, 4'b0010, IN_ORDER,     1'b1, 32'd266,   32'd266, 32'd272, 32'd3, NONE);
    // no context: connection out of range, path out of range, also for OPEN
    step(PACKET, 24'd4, 12'd0, 32'd266, 4'b0000, CLOSED,       1'b0, 32'd0,     32'd0,   32'd0,   32'd0, NONE);
    step(OPEN,   24'd0, 12'd4, 32'd266, 4'b0000, CLOSED,       1'b0, 32'd0,     32'd0,   32'd0,   32'd0, NONE);
    // OPEN right behind a packet that waits, and packets right behind the OPEN
    step(PACKET, 24'd0, 12'd0, 32'd267, 4'b0000, OUT_OF_ORDER, 1'b1, 32'd266,   32'd268, 32'd273, 32'd3, BIT0 << 1);
    step(OPEN,   24'd0, 12'd0, 32'd266, 4'b0000, OPENED,       1'b0, 32'd266,   32'd266, 32'd0,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd266, 4'b0000, IN_ORDER,     1'b0, 32'd267,   32'd267, 32'd1,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd267, 4'b0000, IN_ORDER,     1'b1, 32'd268,   32'd268, 32'd2,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'd266, 4'b0000, OLD,          1'b1, 32'd268,   32'd268, 32'd3,   32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'h80000000 + 32'd268, 4'b0000, OLD, 1'b1, 32'd268, 32'd268, 32'd4, 32'd0, NONE);
    step(PACKET, 24'd0, 12'd0, 32'h7FFFFFFF + 32'd268, 4'b0000, BEYOND, 1'b1, 32'd268, 32'd268, 32'd5, 32'd0, NONE);
    // A window full but for its first two: they and the two behind the window come in one burst, so that 256 and 257 were
    // beyond the window when they were issued.
    step(OPEN,   24'd0, 12'd1, 32'd0,   4'b0000, OPENED,       1'b0, 32'd0,     32'd0,   32'd0,   32'd0, NONE);
    for (i = 2; i <= 255; i = i + 1)
      step(PACKET, 24'd0, 12'd1, i,     4'b0000, OUT_OF_ORDER, 1'b1, 32'd0,     i + 1,   i - 1,   32'd0, (BIT0 << (i + 1)) - 256'd4);
    step(PACKET, 24'd0, 12'd1, 32'd0,   4'b0000, IN_ORDER,     1'b1, 32'd1,     32'd256, 32'd255, 32'd0, (BIT0 << 255) - 256'd2);
    step(PACKET, 24'd0, 12'd1, 32'd1,   4'b0000, IN_ORDER,     1'b1, 32'd256,   32'd256, 32'd256, 32'd0, NONE);
    step(PACKET, 24'd0, 12'd1, 32'd256, 4'b0000, IN_ORDER,     1'b0, 32'd257,   32'd257, 32'd257, 32'd0, NONE);
    step(PACKET, 24'd0, 12'd1, 32'd257, 4'b0000, IN_ORDER,     1'b1, 32'd258,   32'd258, 32'd258, 32'd0, NONE);
  end

  always @* begin
    s_req_valid = !rst && sent < requests;
    m_rsp_ready = pass == 0 || cycle % 3 == 0;
  end

  always @(posedge clk)
    if (rst) begin
      sent <= 0;
      answered <= 0;
      cycle <= 0;
    end else begin
      cycle <= cycle + 1;
      if (s_req_ready && cycle < 16) begin
        $display("FAIL: ready in cycle %0d, before the sweep of 16 contexts was over", cycle);
        errors = errors + 1;
      end
      if (s_req_valid && s_req_ready) sent <= sent + 1;
      if (m_rsp_valid && m_rsp_ready) begin
        if ({m_rsp_class, m_rsp_ack_now, m_rsp_cumulative, m_rsp_next, m_rsp_received, m_rsp_ce_marked, m_rsp_vector} !==
            expected[answered] || {m_rsp_op, m_rsp_connection, m_rsp_path, m_rsp_psn} !== request[answered][73:4]) begin
          $display("FAIL: pass %0d, request %0d, psn %h: got class %0d ack %b cumulative %h next %h received %0d ce %0d vector %h",
                   pass, answered, m_rsp_psn, m_rsp_class, m_rsp_ack_now, m_rsp_cumulative, m_rsp_next, m_rsp_received,
                   m_rsp_ce_marked, m_rsp_vector);
          $display("      want %h", expected[answered]);
          errors = errors + 1;
        end
        if (answered == 0) first_answer = cycle;
        if (pass == 0 && cycle - first_answer !== answered) begin
          $display("FAIL: request %0d was answered in cycle %0d, not one a clock", answered, cycle);
          errors = errors + 1;
        end
        answered <= answered + 1;
      end
    end

  initial begin
    errors = 0;
    for (pass = 0; pass < 2; pass = pass + 1) begin
      rst = 1'b1;
      repeat (20) @(posedge clk);
      rst <= 1'b0;
      repeat (2000) @(posedge clk);
      if (answered !== requests) begin
        $display("FAIL: pass %0d: %0d of %0d requests answered", pass, answered, requests);
        errors = errors + 1;
      end
      // In order: 2 before the wrap, 2 behind it, the refused one and its repetition, 253 + 1, 6, 2 after OPEN, 4 on the second path.
      if (count_new_in_order !== 32'd272 || count_new_out_of_order !== 32'd258 || count_duplicate !== 32'd1 ||
          count_old !== 32'd3 || count_beyond !== 32'd2 || count_closed !== 32'd3 || count_refused !== 32'd1) begin
        $display("FAIL: counters %0d %0d %0d %0d %0d %0d %0d", count_new_in_order, count_new_out_of_order, count_duplicate,
                 count_old, count_beyond, count_closed, count_refused);
        errors = errors + 1;
      end
    end
    if (id_spec_hash !== `MR_SPEC_HASH) begin
      $display("FAIL: id_spec_hash is %h", id_spec_hash);
      errors = errors + 1;
    end
    if (errors == 0) $display("PASS");
    $finish;
  end

endmodule

`default_nettype wire
