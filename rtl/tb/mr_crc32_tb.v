// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"

/*
 * mr_crc32_tb: mr_crc32_matrix against the bit-serial register of IEEE 802.3, the published check value of CRC-32, and the
 * residue table against the same register. Prints PASS or FAIL. Run in rtl/generated, where the ROM file is.
 */
module mr_crc32_tb;
  reg  [ 71:0] check_bytes;
  reg  [511:0] beat;
  reg  [575:0] message;
  reg  [ 31:0] register;
  wire [ 31:0] check_crc, beat_crc, message_crc, carried;
  reg  [ 31:0] residues[0:`MR_TABLE_CRC_RESIDUE_ENTRIES-1];
  integer k, round, seed, failures;

  mr_crc32_matrix #(.DATA_BITS(72)) of_check (.data(check_bytes), .crc(check_crc));
  mr_crc32_matrix #(.DATA_BITS(512)) of_beat (.data(beat), .crc(beat_crc));
  mr_crc32_matrix #(.DATA_BITS(576)) of_message (.data(message), .crc(message_crc));
  mr_crc32_matrix #(.DATA_BITS(32), .TRAILING_BITS(480)) of_register (.data(register), .crc(carried));

  // the register after one bit
  function [31:0] step(input [31:0] r, input bit_in);
    step = {1'b0, r[31:1]} ^ (r[0] ^ bit_in ? 32'hEDB88320 : 32'd0);
  endfunction

  function [31:0] serial(input [31:0] start, input [575:0] data, input integer bits);
    integer i;
    begin
      serial = start;
      for (i = 0; i < bits; i = i + 1) serial = step(serial, data[i]);
    end
  endfunction

  task check(input [255:0] what, input [31:0] got, input [31:0] want);
    if (got !== want) begin
      $display("FAIL %0s: got %h want %h", what, got, want);
      failures = failures + 1;
    end
  endtask

  initial begin
    failures = 0;
    seed = 1;
    // "123456789", first character in the low byte, first four bytes inverted for the initial value
    check_bytes = 72'h393837363534333231 ^ 72'hFFFFFFFF;
    #1 check("check value", ~check_crc, 32'hCBF43926);
    for (round = 0; round < 50; round = round + 1) begin
      for (k = 0; k < 18; k = k + 1) message[32*k+:32] = $random(seed);
      beat = message[511:0];
      register = $random(seed);
      #1;
      check("beat", beat_crc, serial(32'd0, {64'd0, beat}, 512));
      check("beat behind a register", beat_crc ^ carried, serial(register, {64'd0, beat}, 512));
      check("message", message_crc, serial(32'd0, message, 576));
      beat = 512'd1 << (round * 10);
      #1 check("single bit", beat_crc, serial(32'd0, {64'd0, beat}, 512));
    end
    // residue of a packet with its CRC and k bytes of zero; 0xDEBB20E3 is the published one
    $readmemh("mr_crc_residue.mem", residues);
    check("published residue", residues[0], 32'hDEBB20E3);
    register = serial(32'hFFFFFFFF, {544'd0, 32'h12345678}, 32);
    register = serial(register, {544'd0, ~register}, 32);
    for (k = 0; k < 64; k = k + 1) begin
      check("residue", residues[k], register);
      register = serial(register, 576'd0, 8);
    end
    if (failures == 0) $display("PASS mr_crc32_tb");
    else $display("FAIL mr_crc32_tb: %0d", failures);
    $finish;
  end
endmodule

`default_nettype wire
