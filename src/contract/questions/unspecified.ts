/**
 * Every place at which the contract says "not shown", with its open questions, or the reason for
 * having none. A test compares the list with the contract itself.
 */
export interface UnspecifiedPlace {
  /** Words of the contract directly before "not shown". */
  words: string
  /** The questions about it. */
  questions: string[]
  /** The reason, where there is none. */
  because?: string
}

export const UNSPECIFIED_PLACES: readonly UnspecifiedPlace[] = [
  { words: 'Sub key record', questions: ['sub-key-paths', 'disabled-key'] },
  {
    words: 'Fields of the portfolio curve record and the liquidation statistics record',
    questions: ['pnl-point-names', 'portfolio-builder-dexes', 'liquidation-window'],
  },
  {
    words: 'Fields of `kline_data` (indicator k-line response)',
    questions: ['indicator-form', 'kline-numbers'],
  },
  { words: 'Transitions between order states', questions: ['order-form', 'order-status-spelling'] },
  { words: 'Lifecycle of sub keys', questions: ['disabled-key', 'revoked-sockets'] },
  { words: 'remaining response fields', questions: ['level-delete-answer', 'level-absent'] },
  { words: 'Endpoints for creating and managing sub keys', questions: ['sub-key-paths'] },
  { words: 'The body shape of POST /info beyond the `type` field', questions: ['info-types'] },
  {
    words: '(path',
    questions: [],
    because: 'All public clients call /indicatorKline/dataRecords; no other path is known.',
  },
  { words: 'default of `size`', questions: ['latest-depth-size'] },
  {
    words: 'query params',
    questions: ['position-absent', 'position-liquidation-name', 'position-interval'],
  },
  {
    words: 'request and response shapes are',
    questions: [
      'completed-by-time-form',
      'completed-by-time-coin',
      'trader-period',
      'top-coins-window',
      'open-interest-step',
      'taker-delta-interval',
      'book-summary-unit',
      'window-days',
      'drawdown-net-in',
      'batch-drawdown-keys',
      'smart-find-form',
      'whale-ratio-order',
      'whale-funding-sign',
      'top-positions-interval',
      'estimated-heatmap-interval',
      'twap-fill-form',
    ],
  },
  { words: 'Nonce format and uniqueness (replay) rules', questions: ['nonce-reuse'] },
  {
    words: 'Events delivered by means other than WebSocket channels',
    questions: [],
    because: 'No document names such means, so there are none here.',
  },
  {
    words: 'Full catalogue of error codes and messages',
    questions: ['refusal-status', 'over-rate', 'over-quota', 'unknown-symbol', 'alert-failure'],
  },
  { words: 'the values of those limits', questions: ['socket-limits'] },
  { words: 'Rate limits for keys that are not sub keys', questions: ['other-key-limits'] },
  {
    words: 'Deprecation and compatibility policy',
    questions: [],
    because: 'A policy is not a behaviour. Older paths, names and spellings are served.',
  },
]
