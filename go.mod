module metaroce

go 1.26
