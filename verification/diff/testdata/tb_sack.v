// Makes the dumps of mr_sack that the tests of package diff read: requests of a few paths near the sequence wrap, with
// gaps and repeats, and a sink that stalls. How they were made: see README.md beside.
`timescale 1ns / 1ps
`default_nettype none
`include "mr_profile.vh"
`include "mr_config.vh"

module tb_sack;
    parameter CYCLES = 110;

    reg clk = 0;
    reg rst = 1;
    reg [31:0] lfsr = 32'h1234_5678;
    reg valid = 0;
    reg [1:0] op = 0;
    reg [1:0] path = 0;
    reg [31:0] psn = 0;
    reg ready = 0;
    wire accepted;
    integer cycle = 0;

    mr_sack dut (
        .clk(clk), .rst(rst),
        .s_req_valid(valid), .s_req_ready(accepted), .s_req_op(op), .s_req_connection(24'd1), .s_req_path({10'd0, path}),
        .s_req_psn(psn), .s_req_ce(lfsr[9]), .s_req_ack_request(1'b0), .s_req_tail(1'b0), .s_req_refused(1'b0),
        .m_rsp_ready(ready)
    );

    always #2 clk = ~clk;

    always @(posedge clk) begin
        cycle <= cycle + 1;
        if (cycle == 4) rst <= 0;
        ready <= cycle < 60 || cycle[2:0] != 0;
        if (!rst && (accepted || !valid)) begin
            lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]};
            valid <= lfsr[2:0] != 0;
            path <= cycle < 30 ? cycle[1:0] : lfsr[4:3];
            op <= cycle < 30 ? 2'd0 : 2'd1;
            psn <= cycle < 30 ? 32'hFFFF_FFFE : 32'hFFFF_FFF8 + lfsr[8:5];
        end
        if (cycle == CYCLES) begin
            #1 $finish;
        end
    end

`ifndef VERILATOR
    initial begin
        $dumpfile("sack_icarus.vcd");
        $dumpvars(1, dut);
    end
`else
    initial begin
        $dumpfile("sack_verilator.vcd");
        $dumpvars(1, tb_sack);
    end
`endif
endmodule
