/** The forms of recordings that can be imported, and what each is. */
export const IMPORT_FORMS = {
  'venue-native': "the perpetual venue's socket frames (l2Book, trades, bbo, activeAssetCtx)",
  usdm: 'a futures raw stream (depth snapshot, depthUpdate, trade, bookTicker)',
} as const

export type ImportForm = keyof typeof IMPORT_FORMS
