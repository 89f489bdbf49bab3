// SPDX-License-Identifier: Apache-2.0
`resetall
`timescale 1ns / 1ps
`default_nettype none

/*
 * Unit for the tests of the bridge: adds 1 to the data of a stream. It has one port of each style.
 *
 * s_axis    stream in, a two-entry FIFO (spec: cycle.fifo); ready from cycle FIRST_READY
 * m_axis    stream out, the oldest entry plus 1, from the cycle after it was taken
 * dbg_seen  event in the cycle after an entry was taken; bits 99..96 of wide are a register that has no reset
 *
 * Some data, once taken, make it misbehave: see STICK, DEAFEN and FINISH.
 */
module fixture #(
    parameter [63:0] SPEC_HASH   = 64'h0123456789abcdef,
    parameter [63:0] TABLE_HASH  = 64'hfedcba9876543210,
    parameter [63:0] STICK       = 64'hdead_0000_0000_0001, // m_axis_tvalid stays low from then on
    parameter [63:0] DEAFEN      = 64'hdead_0000_0000_0002, // s_axis_tready stays low from then on
    parameter [63:0] FINISH      = 64'hdead_0000_0000_0003, // the simulation stops
    parameter        FIRST_READY = 4                        // cycles, at least 1
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [63:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,

    output wire [63:0] m_axis_tdata,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,

    output reg         dbg_seen_valid,
    output reg  [15:0] dbg_seen_tag,
    output wire [99:0] dbg_seen_wide,

    output reg  [31:0] count_taken,
    output reg  [31:0] count_given,
    output wire [63:0] id_spec_hash,
    output wire [63:0] id_squares_hash
);

reg  [64:0] entry [0:1];
reg         head_reg, ready_reg, stuck_reg, deaf_reg;
reg  [3:0]  unset_reg;
reg  [1:0]  count_reg;
reg  [7:0]  start_reg;
wire        take, give;
wire [1:0]  count_next;
integer     i;

assign take       = s_axis_tvalid && s_axis_tready;
assign give       = m_axis_tvalid && m_axis_tready;
assign count_next = count_reg + {1'b0, take} - {1'b0, give};

assign s_axis_tready   = ready_reg;
assign m_axis_tvalid   = count_reg != 2'd0 && !stuck_reg;
assign m_axis_tdata    = entry[head_reg][63:0] + 64'd1;
assign m_axis_tlast    = entry[head_reg][64];
assign dbg_seen_wide   = {unset_reg, 32'hffff_0000, count_given, count_taken};
assign id_spec_hash    = SPEC_HASH;
assign id_squares_hash = TABLE_HASH;

always @(posedge clk) begin
    ready_reg      <= count_next < 2'd2 && {24'd0, start_reg} + 32'd1 >= FIRST_READY && !deaf_reg && !(take && s_axis_tdata == DEAFEN);
    start_reg      <= start_reg + {7'd0, ~&start_reg};
    count_reg      <= count_next;
    dbg_seen_valid <= take;
    unset_reg      <= unset_reg ^ {4{1'b0}};
    if (take) begin
        entry[head_reg ^ count_reg[0]] <= {s_axis_tlast, s_axis_tdata};
        dbg_seen_tag <= dbg_seen_tag + 16'd1;
        count_taken  <= count_taken + 32'd1;
        if (s_axis_tdata == STICK)  stuck_reg <= 1'b1;
        if (s_axis_tdata == DEAFEN) deaf_reg  <= 1'b1;
        if (s_axis_tdata == FINISH) $finish;
    end
    if (give) begin
        head_reg    <= ~head_reg;
        count_given <= count_given + 32'd1;
    end
    if (rst) begin
        ready_reg      <= 1'b0;
        start_reg      <= 8'd0;
        count_reg      <= 2'd0;
        head_reg       <= 1'b0;
        dbg_seen_valid <= 1'b0;
        count_taken    <= 32'd0;
        count_given    <= 32'd0;
        dbg_seen_tag   <= 16'd0;
        stuck_reg      <= 1'b0;
        deaf_reg       <= 1'b0;
        for (i = 0; i < 2; i = i + 1) entry[i] <= 65'd0;
    end
end

endmodule

`default_nettype wire
