/** The forms of recordings that can be imported, and what each is. */
export const IMPORT_FORMS = {
  'venue-native': "the perpetual venue's socket frames (l2Book, trades, bbo, activeAssetCtx)",
  'venue-archive': "the perpetual venue's archive (hourly l2Book, node trades, node fills)",
  'venue-contexts': "the perpetual venue's archive of asset contexts, CSV",
  usdm: 'a futures raw stream (depth snapshot, depthUpdate, trade, bookTicker)',
  coinm: 'the same of contracts that are settled in coins',
  spot: 'a spot raw stream, books chained by U and u',
  tardis:
    'CSV or Parquet of trades, incremental_book_L2, book_snapshot_N, quotes, derivative_ticker ' +
    'or liquidations',
  har: 'HAR documents with WebSocket messages, which become a recording',
  candles: 'candles, CSV or Parquet: four trades for each',
} as const

export type ImportForm = keyof typeof IMPORT_FORMS
