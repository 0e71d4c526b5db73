module example/market

go 1.19
