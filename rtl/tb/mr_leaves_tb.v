// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Smoke test of the shared leaves in Icarus. Expected values follow from the leaves' contracts (rtl/README.md) and rules
 * seq.compare, cycle.fifo and cycle.reset; none is taken from an output.
 */
module mr_leaves_tb;

  reg clk = 1'b0, rst = 1'b1;
  always #2 clk = !clk;
  integer errors = 0;

  task check(input ok, input [40*8-1:0] what);
    if (ok !== 1'b1) begin
      $display("FAIL: time %0t: %0s", $time, what);
      errors = errors + 1;
    end
  endtask

  // ---------------------------------------------------------------- mr_seq_before
  reg [15:0] a, b;
  wire [15:0] distance;
  wire is_before;

  mr_seq_before #(
      .WIDTH(16)
  ) compare (
      .a        (a),
      .b        (b),
      .distance (distance),
      .is_before(is_before)
  );

  task compares(input [15:0] a_in, input [15:0] b_in, input want);
    begin
      a = a_in;
      b = b_in;
      #1 check(is_before === want && distance === (a_in - b_in), "mr_seq_before");
    end
  endtask

  // ---------------------------------------------------------------- mr_fifo against a queue of our own, depth 3
  reg s_valid = 1'b0, m_ready = 1'b0;
  reg [7:0] s_data = 8'd0;
  wire s_ready, m_valid;
  wire [7:0] m_data;
  wire [1:0] count;
  integer held = 0, oldest = 0, newest = 0, full_seen = 0, beats = 0;

  mr_fifo #(
      .WIDTH(8),
      .DEPTH(3)
  ) fifo (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(s_valid),
      .s_ready(s_ready),
      .s_data (s_data),
      .m_valid(m_valid),
      .m_ready(m_ready),
      .m_data (m_data),
      .count  (count)
  );

  // ---------------------------------------------------------------- mr_fifo of depth 2, which is mr_skid
  wire skid_s_ready, skid_m_valid;
  wire [1:0] skid_count;
  wire [7:0] skid_m_data;
  integer skid_in = 0, skid_out = 0;

  mr_fifo #(
      .WIDTH(8),
      .DEPTH(2)
  ) skid (
      .clk    (clk),
      .rst    (rst),
      .enable (1'b1),
      .s_valid(s_valid),
      .s_ready(skid_s_ready),
      .s_data (skid_in[7:0]),
      .m_valid(skid_m_valid),
      .m_ready(m_ready),
      .m_data (skid_m_data),
      .count  (skid_count)
  );

  reg [31:0] random = 32'h12345678;
  reg running = 1'b0;

  always @(posedge clk)
    if (running) begin
      check(count === held && s_ready === (held < 3) && m_valid === (held > 0), "mr_fifo status");
      if (m_valid) check(m_data === oldest[7:0], "mr_fifo data");
      if (held == 3) full_seen = full_seen + 1;
      if (m_valid && m_ready) begin
        oldest = oldest + 1;
        beats  = beats + 1;
      end
      if (s_valid && s_ready) newest = newest + 1;
      held = newest - oldest;
      check(skid_count === skid_in - skid_out && skid_s_ready === (skid_in - skid_out < 2) &&
            skid_m_valid === (skid_in - skid_out > 0), "mr_skid status");
      if (skid_m_valid && m_ready) begin
        check(skid_m_data === skid_out[7:0], "mr_skid data");
        skid_out = skid_out + 1;
      end
      if (s_valid && skid_s_ready) skid_in = skid_in + 1;
    end

  always @(negedge clk) begin
    random = {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
    s_valid = running && random[3:0] != 4'd0;
    m_ready = running && (random[12] ? random[5] : random[4:3] != 2'd0);
    s_data = newest[7:0];
  end

  // ---------------------------------------------------------------- mr_sweep of 5 contexts
  wire sweep_busy, sweep_ready_next;
  wire [2:0] sweep_index;
  integer cycle = 0;

  mr_sweep #(
      .CONTEXTS  (5),
      .INDEX_BITS(3)
  ) sweep (
      .clk       (clk),
      .rst       (rst),
      .busy      (sweep_busy),
      .index     (sweep_index),
      .ready_next(sweep_ready_next)
  );

  always @(posedge clk)
    if (!rst) begin
      check(sweep_busy === (cycle < 5) && sweep_ready_next === (cycle >= 4), "mr_sweep");
      if (cycle < 5) check(sweep_index === cycle, "mr_sweep index");
      cycle = cycle + 1;
    end

  // ---------------------------------------------------------------- mr_context_ram: adds 1 to a random context a clock
  reg [1:0] address = 2'd0, address_before = 2'd0;
  reg adding = 1'b0, adding_before = 1'b0;
  wire [15:0] value;
  integer sum[0:3];

  mr_context_ram #(
      .WIDTH       (16),
      .DEPTH       (4),
      .ADDRESS_BITS(2)
  ) contexts (
      .clk          (clk),
      .read_address (address),
      .read_data    (value),
      .write_enable (adding_before || sweep_busy),
      .write_address(sweep_busy ? sweep_index[1:0] : address_before),
      .write_data   (sweep_busy ? 16'd0 : value + 16'd1)
  );

  always @(posedge clk) begin
    if (adding_before) begin
      check(value === sum[address_before], "mr_context_ram");
      sum[address_before] = sum[address_before] + 1;
    end
    address_before <= address;
    adding_before <= adding;
    address <= random[9] ? address : random[17:16];
    adding <= running && random[20:18] != 3'd0;
  end

  // ---------------------------------------------------------------- mr_find_first, mr_rotate
  reg [63:0] vector = 64'd0;
  reg [5:0] amount = 6'd0;
  wire found;
  wire [5:0] position;
  wire [63:0] rotated;
  integer i, k;

  mr_find_first #(
      .WIDTH(64),
      .GROUP(16)
  ) find_first (
      .clk     (clk),
      .vector  (vector),
      .found   (found),
      .position(position)
  );

  mr_rotate #(
      .LOG(6)
  ) rotate (
      .clk   (clk),
      .d     (vector),
      .amount(amount),
      .q     (rotated)
  );

  initial begin
    for (i = 0; i < 4; i = i + 1) sum[i] = 0;
    compares(16'd5, 16'd5, 1'b0);
    compares(16'd4, 16'd5, 1'b1);
    compares(16'hFFFF, 16'd0, 1'b1);  // across the wrap
    compares(16'd0, 16'hFFFF, 1'b0);
    compares(16'h8000, 16'd0, 1'b1);  // half the range: before, both ways
    compares(16'd0, 16'h8000, 1'b1);
    compares(16'h7FFF, 16'd0, 1'b0);

    repeat (4) @(posedge clk);
    rst <= 1'b0;
    repeat (8) @(posedge clk);
    @(negedge clk) running = 1'b1;
    repeat (3000) @(posedge clk);
    check(full_seen > 50 && beats > 800 && skid_out > 800, "coverage: full, beats");
    check(sum[0] > 100 && sum[1] > 100 && sum[2] > 100 && sum[3] > 100, "coverage: contexts");

    for (i = 0; i < 64; i = i + 1) begin
      @(negedge clk);
      vector = (64'hFFFFFFFFFFFFFFFF << i) ^ ({random, random} & (64'hFFFFFFFFFFFFFFFE << i));  // lowest set bit is i
      amount = i;
      repeat (3) @(negedge clk);
      check(found && position === i, "mr_find_first");
      for (k = 0; k < 64; k = k + 1) check(rotated[k] === vector[(k+i)%64], "mr_rotate");
    end
    vector = 64'd0;
    repeat (2) @(negedge clk);
    check(!found, "mr_find_first of nothing");
    if (errors == 0) $display("PASS");
    $finish;
  end

endmodule

`default_nettype wire
