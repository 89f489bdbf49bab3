// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_rate_tb: mr_rate against the rules carried out one operation at a time.
 *
 * Part 1 has expected values worked out by hand from rules rate.*; part 2 compares random operations, crowded onto few
 * contexts, with a second statement of the rules in this file (it divides where the unit reads a table), first at full
 * speed, where one operation a clock is demanded, then with idle clocks and back-pressure.
 * Prints PASS or FAIL. Run in rtl/generated, where the ROM files are.
 */
module mr_rate_tb;
  localparam CONNECTIONS = 2;
  localparam PATHS = 2;
  localparam integer OPERATIONS = 3000;
  localparam QUEUE = 64;  // a power of two, above what is ever in flight

  reg         clk = 1'b0;
  reg         rst = 1'b1;
  always #5 clk = !clk;

  // ---------------------------------------------------------------- unit under test
  reg         s_valid = 1'b0;
  wire        s_ready;
  reg  [ 1:0] op;
  reg  [23:0] connection;
  reg  [11:0] path;
  reg  [47:0] now;
  reg  [15:0] bytes, acked, rate, hint_sequence;
  reg  [31:0] received, ce_marked, rtt;
  reg         lost, loss_is_congestion;

  wire        m_valid;
  reg         m_ready = 1'b0;
  wire [ 1:0] r_op;
  wire [23:0] r_connection;
  wire [11:0] r_path;
  wire [ 2:0] r_status;
  wire [57:0] r_departure;
  wire [23:0] r_path_window, r_connection_window, r_connection_in_flight;
  wire [15:0] r_path_in_flight, r_path_alpha;
  wire        d_valid;
  wire [ 1:0] d_op;
  wire [23:0] d_connection;
  wire [11:0] d_path;
  wire [ 2:0] d_status;
  wire [34:0] d_srtt;
  wire [33:0] d_rttvar;
  wire [31:0] c_granted, c_path_window, c_connection_window, c_closed, c_illegal_rate, c_stale_ack;
  wire [63:0] id_spec, id_mark, id_rate;

  mr_rate #(
      .CONNECTIONS(CONNECTIONS),
      .PATHS(PATHS)
  ) dut (
      .clk(clk), .rst(rst),
      .s_req_valid(s_valid), .s_req_ready(s_ready), .s_req_op(op), .s_req_connection(connection), .s_req_path(path),
      .s_req_now(now), .s_req_bytes(bytes), .s_req_acked(acked), .s_req_received(received), .s_req_ce_marked(ce_marked),
      .s_req_rtt(rtt), .s_req_lost(lost), .s_req_rate(rate), .s_req_hint_sequence(hint_sequence),
      .s_req_loss_is_congestion(loss_is_congestion),
      .m_rsp_valid(m_valid), .m_rsp_ready(m_ready), .m_rsp_op(r_op), .m_rsp_connection(r_connection), .m_rsp_path(r_path),
      .m_rsp_status(r_status), .m_rsp_departure(r_departure), .m_rsp_path_window(r_path_window),
      .m_rsp_connection_window(r_connection_window), .m_rsp_path_in_flight(r_path_in_flight),
      .m_rsp_connection_in_flight(r_connection_in_flight), .m_rsp_path_alpha(r_path_alpha),
      .dbg_update_valid(d_valid), .dbg_update_op(d_op), .dbg_update_connection(d_connection), .dbg_update_path(d_path),
      .dbg_update_status(d_status), .dbg_update_srtt(d_srtt), .dbg_update_rttvar(d_rttvar),
      .count_granted(c_granted), .count_path_window(c_path_window), .count_connection_window(c_connection_window),
      .count_closed(c_closed), .count_illegal_rate(c_illegal_rate), .count_stale_ack(c_stale_ack),
      .id_spec_hash(id_spec), .id_mark_reciprocal_hash(id_mark), .id_rate_reciprocal_hash(id_rate)
  );

  // ---------------------------------------------------------------- the rules, one operation at a time
  localparam CP = CONNECTIONS * PATHS;
  // AIMD states: paths 0..CP-1, then connections
  reg  [23:0] window[0:CP+CONNECTIONS-1];
  reg  [15:0] alpha[0:CP+CONNECTIONS-1];
  reg  [31:0] acked_sum[0:CP+CONNECTIONS-1];
  reg  [15:0] round_received[0:CP+CONNECTIONS-1];
  reg  [15:0] round_ce[0:CP+CONNECTIONS-1];
  reg  [47:0] round_start[0:CP+CONNECTIONS-1];
  reg         p_open[0:CP-1];
  reg         p_rtt_valid[0:CP-1];
  reg  [34:0] p_srtt[0:CP-1];
  reg  [33:0] p_rttvar[0:CP-1];
  reg  [31:0] p_received[0:CP-1];
  reg  [31:0] p_ce[0:CP-1];
  reg  [15:0] p_in_flight[0:CP-1];
  reg         k_open[0:CONNECTIONS-1];
  reg         k_loss[0:CONNECTIONS-1];
  reg  [15:0] k_cap[0:CONNECTIONS-1];
  reg  [15:0] k_hint[0:CONNECTIONS-1];
  reg  [15:0] k_sequence[0:CONNECTIONS-1];
  reg         k_hint_valid[0:CONNECTIONS-1];
  reg  [57:0] k_next[0:CONNECTIONS-1];
  reg  [23:0] k_in_flight[0:CONNECTIONS-1];
  integer     n_granted, n_path_window, n_connection_window, n_closed, n_illegal_rate, n_stale_ack;

  localparam EXPECTED_BITS = 2 + 24 + 12 + 3 + 58 + 24 + 24 + 16 + 24 + 16;
  localparam DEBUG_BITS = 2 + 24 + 12 + 3 + 35 + 34;
  reg [EXPECTED_BITS-1:0] expected[0:QUEUE-1];
  reg [   DEBUG_BITS-1:0] debug[0:QUEUE-1];
  integer head, debug_head, count;
  reg failed;

  reg [2:0] status;
  reg [57:0] departure;
  reg [31:0] srtt_ns, d_received, d_ce;
  integer p, k, i;

  task reset_rules;
    begin
      for (i = 0; i < CP; i = i + 1) p_open[i] = 1'b0;
      for (i = 0; i < CONNECTIONS; i = i + 1) k_open[i] = 1'b0;
      {n_granted, n_path_window, n_connection_window, n_closed, n_illegal_rate, n_stale_ack} = 0;
      head = 0;
      debug_head = 0;
      count = 0;
      failed = 1'b0;
    end
  endtask

  task open_aimd(input integer a, input [15:0] packets);
    begin
      window[a] = {packets, 8'd0};
      alpha[a] = 16'hFFFF;
      acked_sum[a] = 0;
      round_received[a] = 0;
      round_ce[a] = 0;
      round_start[a] = now;
    end
  endtask

  function [15:0] fraction(input [15:0] ce, input [15:0] n);
    integer s, nn, cc, f;
    begin
      s = 0;
      while ((n >> s) >= 256) s = s + 1;
      nn = n >> s;
      cc = ce >> s;
      if (cc > nn) cc = nn;
      f = (cc * (16777216 / nn)) / 256;
      fraction = f > 65535 ? 16'hFFFF : f[15:0];
    end
  endfunction

  task aimd(input integer a, input [23:0] limit);
    reg [63:0] t;
    integer g, v;
    begin
      t = round_received[a] + d_received;
      round_received[a] = t > 65535 ? 65535 : t;
      t = round_ce[a] + d_ce;
      round_ce[a] = t > 65535 ? 65535 : t;
      if (round_ce[a] == 0) begin
        acked_sum[a] = acked_sum[a] + acked;
        if (acked_sum[a] >= window[a] / 256) begin
          acked_sum[a] = acked_sum[a] - window[a] / 256;
          window[a] = window[a] + 256 > limit * 256 ? limit * 256 : window[a] + 256;
        end
      end
      t = now - round_start[a];
      if (round_received[a] > 0 && t[47:0] >= {16'd0, srtt_ns}) begin
        g = alpha[a] / 16;
        if (g == 0 && alpha[a] != 0) g = 1;
        v = alpha[a] - g + fraction(round_ce[a], round_received[a]) / 16;
        alpha[a] = v > 65535 ? 65535 : v;
        if (round_ce[a] > 0) begin
          t = window[a];
          t = t - ((t * alpha[a]) >> 17);
          window[a] = t < 256 ? 256 : t;
          acked_sum[a] = 0;
        end
        round_received[a] = 0;
        round_ce[a] = 0;
        round_start[a] = now;
      end
    end
  endtask

  function [63:0] rate_value(input [15:0] code);
    rate_value = {53'd0, code[10:0]} << code[15:11];
  endfunction

  function [63:0] interval(input [15:0] code, input [15:0] size);
    reg [63:0] t;
    begin
      t = (128000000 + code[10:0] - 1) / code[10:0];
      t = t * size;
      t = (t + (64'd1 << code[15:11]) - 1) >> code[15:11];
      if (t > 64'd1 << 40) t = 64'd1 << 40;
      interval = code == 16'hFFFF ? 0 : t;
    end
  endfunction

  task do_ack;
    reg signed [40:0] error;
    reg [31:0] delta;
    begin
      if (rtt != 0) begin
        if (!p_rtt_valid[p]) begin
          p_srtt[p] = {rtt, 3'd0};
          p_rttvar[p] = {1'b0, rtt, 1'b0};
        end else begin
          error = $signed({9'd0, rtt}) - $signed({9'd0, p_srtt[p][34:3]});
          p_srtt[p] = p_srtt[p] + error[34:0];
          if (error < 0) error = -error;
          p_rttvar[p] = p_rttvar[p] - p_rttvar[p] / 4 + error[33:0];
        end
        p_rtt_valid[p] = 1'b1;
      end
      srtt_ns = p_srtt[p] / 8;
      delta = received - p_received[p];
      d_received = 0;
      d_ce = 0;
      if (delta[31]) n_stale_ack = n_stale_ack + 1;
      else begin
        d_received = delta > 65535 ? 65535 : delta;
        delta = ce_marked - p_ce[p];
        d_ce = delta > d_received ? d_received : delta;
        p_received[p] = received;
        p_ce[p] = ce_marked;
      end
      if (lost && k_loss[k]) begin
        d_received = d_received + 1;
        d_ce = d_ce + 1;
      end
      aimd(p, `MR_PATH_WINDOW_MAX);
      aimd(CP + k, `MR_CONNECTION_WINDOW_MAX);
      p_in_flight[p] = p_in_flight[p] - (acked > p_in_flight[p] ? p_in_flight[p] : acked);
      k_in_flight[k] = k_in_flight[k] - (acked > k_in_flight[k] ? k_in_flight[k] : acked);
      delta = (hint_sequence - k_sequence[k]) & 32'h0000_FFFF;
      if (rate[10:0] == 0) n_illegal_rate = n_illegal_rate + 1;
      else if (!k_hint_valid[k] || !delta[15]) begin
        k_hint[k] = rate;
        k_sequence[k] = hint_sequence;
        k_hint_valid[k] = 1'b1;
      end
    end
  endtask

  task do_send;
    reg [57:0] early, lag;
    reg [63:0] step;
    begin
      if (p_in_flight[p] >= window[p] / 256) begin
        status = `MR_RATE_STATUS_PATH_WINDOW;
        n_path_window = n_path_window + 1;
      end else if (k_in_flight[k] >= window[CP+k] / 256) begin
        status = `MR_RATE_STATUS_CONNECTION_WINDOW;
        n_connection_window = n_connection_window + 1;
      end else begin
        status = `MR_RATE_STATUS_GRANTED;
        n_granted = n_granted + 1;
        p_in_flight[p] = p_in_flight[p] + 1;
        k_in_flight[k] = k_in_flight[k] + 1;
        step = interval(rate_value(k_cap[k]) < rate_value(k_hint[k]) ? k_cap[k] : k_hint[k], bytes);
        early = k_next[k] - 58'd1048576;
        lag = early - {now, 10'd0};
        departure = lag[57] ? {now, 10'd0} : early;
        lag = k_next[k] - {now, 10'd0};
        k_next[k] = (lag[57] ? {now, 10'd0} : k_next[k]) + step[57:0];
      end
    end
  endtask

  // carries out the operation in the request registers and queues what must be answered
  task apply;
    reg shows_path, shows_connection;
    begin
      k = connection[0];
      p = connection[0] * PATHS + path[0];
      status = `MR_RATE_STATUS_DONE;
      departure = 0;
      shows_path = 1'b1;
      shows_connection = 1'b1;
      if (connection >= CONNECTIONS || (op != `MR_RATE_OP_OPEN_CONNECTION && path >= PATHS)
          || (op[1] && (!k_open[k] || !p_open[p]))) begin
        status = `MR_RATE_STATUS_CLOSED;
        n_closed = n_closed + 1;
        shows_path = 1'b0;
        shows_connection = 1'b0;
      end else
        case (op)
          `MR_RATE_OP_OPEN_CONNECTION: begin
            k_open[k] = 1'b1;
            k_cap[k] = rate[10:0] == 0 ? 16'hFFFF : rate;
            if (rate[10:0] == 0) n_illegal_rate = n_illegal_rate + 1;
            k_hint[k] = 16'hFFFF;
            k_sequence[k] = 0;
            k_hint_valid[k] = 1'b0;
            k_loss[k] = loss_is_congestion;
            k_next[k] = {now, 10'd0};
            k_in_flight[k] = 0;
            open_aimd(CP + k, `MR_CONNECTION_WINDOW_INITIAL);
            shows_path = 1'b0;
          end
          `MR_RATE_OP_OPEN_PATH: begin
            p_open[p] = 1'b1;
            p_rtt_valid[p] = 1'b0;
            p_srtt[p] = 0;
            p_rttvar[p] = 0;
            p_received[p] = 0;
            p_ce[p] = 0;
            p_in_flight[p] = 0;
            open_aimd(p, `MR_PATH_WINDOW_INITIAL);
            shows_connection = 1'b0;
          end
          `MR_RATE_OP_ACK: do_ack;
          default: do_send;
        endcase
      expected[(head + count) % QUEUE] = {
        op, connection, path, status, departure, shows_path ? window[p] : 24'd0, shows_connection ? window[CP+k] : 24'd0,
        shows_path ? p_in_flight[p] : 16'd0, shows_connection ? k_in_flight[k] : 24'd0, shows_path ? alpha[p] : 16'd0
      };
      debug[(head + count) % QUEUE] = {
        op, connection, path, status, shows_path ? p_srtt[p] : 35'd0, shows_path ? p_rttvar[p] : 34'd0
      };
      count = count + 1;
    end
  endtask

  // ---------------------------------------------------------------- checks of every clock, before its rising edge
  integer cycle;
  integer accepted, first_accept, last_accept, stalls;
  wire [EXPECTED_BITS-1:0] got = {
    r_op, r_connection, r_path, r_status, r_departure, r_path_window, r_connection_window, r_path_in_flight,
    r_connection_in_flight, r_path_alpha
  };
  wire [DEBUG_BITS-1:0] got_debug = {d_op, d_connection, d_path, d_status, d_srtt, d_rttvar};

  task check_clock;
    begin
      if (s_valid && s_ready) begin
        apply;
        if (accepted == 0) first_accept = cycle;
        last_accept = cycle;
        accepted = accepted + 1;
      end
      if (s_valid && !s_ready) stalls = stalls + 1;
      if (d_valid) begin
        if (got_debug !== debug[debug_head%QUEUE]) begin
          $display("FAIL cycle %0d: dbg_update got %h want %h", cycle, got_debug, debug[debug_head%QUEUE]);
          failed = 1'b1;
        end
        debug_head = debug_head + 1;
      end
      if (m_valid && m_ready) begin
        if (count == 0 || got !== expected[head%QUEUE]) begin
          $display("FAIL cycle %0d: m_rsp got %h want %h (%0d outstanding)", cycle, got, expected[head%QUEUE], count);
          failed = 1'b1;
        end
        head = head + 1;
        count = count - 1;
      end
    end
  endtask

  task tick;
    begin
      @(negedge clk);
      check_clock;
      @(posedge clk);
      #1 cycle = cycle + 1;
      if (failed) begin
        $display("FAIL mr_rate_tb");
        $finish;
      end
    end
  endtask

  task check(input [511:0] what, input [63:0] value, input [63:0] want);
    if (value !== want) begin
      $display("FAIL cycle %0d: %0s: got %0d want %0d", cycle, what, value, want);
      failed = 1'b1;
    end
  endtask

  // offers the request registers' operation and waits for its response
  task one;
    begin
      s_valid = 1'b1;
      while (!s_ready) tick;
      tick;
      s_valid = 1'b0;
      m_ready = 1'b0;
      while (!m_valid) tick;
    end
  endtask

  task take;
    begin
      m_ready = 1'b1;
      tick;
      m_ready = 1'b0;
    end
  endtask

  // ---------------------------------------------------------------- stimulus
  integer seed;
  integer dice;
  reg [31:0] sent_received[0:3];

  task random_operation;
    begin
      dice = $random(seed) & 255;
      op = dice < 8 ? `MR_RATE_OP_OPEN_CONNECTION : dice < 20 ? `MR_RATE_OP_OPEN_PATH
          : dice < 150 ? `MR_RATE_OP_ACK : `MR_RATE_OP_SEND;
      dice = $random(seed) & 255;
      connection = dice < 4 ? CONNECTIONS : dice < 8 ? 24'h800000 : dice < 40;
      dice = $random(seed) & 255;
      path = dice < 4 ? PATHS : dice < 8 ? 12'h800 : dice < 64;
      dice = $random(seed) & 255;
      now = dice < 2 ? {$random(seed), 16'd0} : now + ($random(seed) & 1023);
      bytes = $random(seed);
      acked = ($random(seed) & 3) == 0 ? $random(seed) : $random(seed) & 3;
      dice = $random(seed) & 63;
      i = {connection[0], path[0]};
      received = dice == 0 ? $random(seed) : sent_received[i] + ($random(seed) & (dice < 8 ? 16383 : 7));
      sent_received[i] = received;
      ce_marked = ce_marked + (($random(seed) & 3) == 0 ? ($random(seed) & 3) : 0);
      dice = $random(seed) & 15;
      rtt = dice == 0 ? $random(seed) : dice < 4 ? 0 : $random(seed) & 4095;
      lost = ($random(seed) & 15) == 0;
      rate = $random(seed);
      dice = $random(seed) & 31;
      if (dice == 0) rate[10:0] = 0;
      if (dice == 1) rate = 16'hFFFF;
      if (dice < 8) rate[15:11] = 5'd12;
      hint_sequence = ($random(seed) & 15) == 0 ? $random(seed) : hint_sequence + ($random(seed) & 3) - 1;
      loss_is_congestion = $random(seed);
    end
  endtask

  task clear_request;
    begin
      {op, connection, path, now, bytes, acked, rate, hint_sequence, received, ce_marked, rtt, lost, loss_is_congestion} = 0;
    end
  endtask

  task by_hand;
    begin
      clear_request;
      // OPEN_CONNECTION 1 at 1000 ns, cap mantissa 1000 exponent 0: 64 Mb/s; 128000 units of 2^-10 ns a byte
      connection = 1; path = 1; now = 1000; rate = 16'd1000; loss_is_congestion = 1'b1;
      op = `MR_RATE_OP_OPEN_CONNECTION;
      one;
      check("open: connection window 16.0", r_connection_window, 4096);
      check("open: path window", r_path_window, 0);
      take;
      op = `MR_RATE_OP_SEND;
      one;
      check("send on a closed path", r_status, `MR_RATE_STATUS_CLOSED);
      take;
      op = `MR_RATE_OP_OPEN_PATH;
      one;
      check("open: path window 4.0", r_path_window, 1024);
      check("open: alpha", r_path_alpha, 65535);
      take;
      // four sends of 100 bytes at 1000 ns: next_time 1024000, then + 12800000 each, burst 1048576
      op = `MR_RATE_OP_SEND; bytes = 100;
      one; check("first departure", r_departure, 1024000); take;
      one; check("second departure", r_departure, 1024000 + 12800000 - 1048576); take;
      one; check("third departure", r_departure, 1024000 + 25600000 - 1048576); take;
      one; check("in flight", r_path_in_flight, 4); take;
      one;
      check("fifth send", r_status, `MR_RATE_STATUS_PATH_WINDOW);
      check("refused departure", r_departure, 0);
      take;
      // an ACK of 4, RTT 800 ns, no marks: windows 5.0 and 16.0; alpha 65535 - 4095 + 0, round over (800 >= 800)
      op = `MR_RATE_OP_ACK; acked = 4; received = 4; rtt = 800; now = 1800; rate = 16'h07D0;
      one;
      check("grown path window", r_path_window, 1280);
      check("connection window stays", r_connection_window, 4096);
      check("in flight after ACK", r_path_in_flight, 0);
      check("alpha after ACK", r_path_alpha, 61440);
      check("hand: srtt", d_srtt, 6400);
      take;
      // a lost packet counts as marked: F = 1 of 2: 32768; g 3840; alpha 61440 - 3840 + 2048 = 59648;
      // window 1280 - floor(1280 * 59648 / 131072) = 1280 - 582; second sample 1600: err 800, srtt 7200, rttvar 1600-400+800
      acked = 0; received = 5; rtt = 1600; lost = 1'b1; now = 2700;
      one;
      check("alpha after a loss", r_path_alpha, 59648);
      check("cut path window", r_path_window, 698);
      take;
    end
  endtask

  task run_random(input integer operations, input integer offer, input integer take_rate);
    begin
      accepted = 0;
      stalls = 0;
      random_operation;
      while (accepted < operations) begin
        s_valid = s_valid || ($random(seed) & 255) < offer;
        m_ready = ($random(seed) & 255) < take_rate;
        i = accepted;
        dice = s_valid && s_ready;
        if (dice) begin
          tick;
          s_valid = 1'b0;
          random_operation;
        end else tick;
      end
      s_valid = 1'b0;
      m_ready = 1'b1;
      while (count != 0) tick;
      tick;
      if (m_valid || debug_head != head) begin
        $display("FAIL: %0d responses, %0d events", head, debug_head);
        failed = 1'b1;
      end
    end
  endtask

  initial begin
    reset_rules;
    clear_request;
    cycle = 0;
    accepted = 0;
    stalls = 0;
    seed = 1;
    for (i = 0; i < 4; i = i + 1) sent_received[i] = 0;
    repeat (4) @(posedge clk);
    #1 rst = 1'b0;
    cycle = 0;
    // first_ready is the number of path contexts
    while (!s_ready) tick;
    check("first ready", cycle, CP);
    by_hand;
    run_random(OPERATIONS, 256, 256);
    check("clocks for one operation a clock", last_accept - first_accept, OPERATIONS - 1);
    check("stalls at full speed", stalls, 0);
    run_random(OPERATIONS / 4, 128, 256);
    run_random(OPERATIONS / 4, 256, 100);
    if (stalls == 0) begin
      $display("FAIL: back-pressure never reached the request port");
      failed = 1'b1;
    end
    run_random(OPERATIONS / 8, 200, 8);
    check("granted", c_granted, n_granted);
    check("path_window", c_path_window, n_path_window);
    check("connection_window", c_connection_window, n_connection_window);
    check("closed", c_closed, n_closed);
    check("illegal_rate", c_illegal_rate, n_illegal_rate);
    check("stale_ack", c_stale_ack, n_stale_ack);
    check("every outcome seen", n_granted > 20 && n_path_window > 20 && n_connection_window > 20 && n_closed > 20
          && n_illegal_rate > 20 && n_stale_ack > 20, 1);
    if (failed) $display("FAIL mr_rate_tb");
    else $display("PASS mr_rate_tb: %0d operations, %0d granted, %0d + %0d windows full, %0d closed, %0d illegal, %0d stale", head,
                  n_granted, n_path_window, n_connection_window, n_closed, n_illegal_rate, n_stale_ack);
    $finish;
  end
endmodule

`default_nettype wire
