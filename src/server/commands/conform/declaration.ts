/** The flags of `tapewright conform`. */
import type { Declaration } from '../command.ts'
import { file, given, span, text, wholeNumber } from '../flag.ts'

const key = (about: string) => text('K', { about })
const secret = (about: string) => text('S', { about, secret: true })

export const CONFORM = {
  name: 'conform',
  summary: 'check a service against the contract',
  about:
    'Checks a service against the contract, as a black box, over HTTP and WebSocket. It needs ' +
    '--target or --watch with --key and --secret, or --control, or --recording. Exit codes: 0 ' +
    'all cases passed; 1 a case failed; 2 it could not run, or did not finish (reports are ' +
    'still written); 130 it was interrupted.',
  section: 'conform',
  flags: {
    target: text('URL', { about: 'base URL of the service or of a sandbox' }),
    key: key('a key with all permissions'),
    secret: secret('its secret'),
    partnerKey: key('key of a distributor, for the distributor endpoints'),
    partnerSecret: secret('its secret'),
    subKey: key('a sub key whose level grants something'),
    subSecret: secret('its secret'),
    bareKey: key('a sub key whose level grants nothing'),
    bareSecret: secret('its secret'),
    invite: text('TOKEN', { about: 'an invite token that the run may use up', secret: true }),
    control: text('URL', {
      about:
        'control plane of a stand-in, such as http://127.0.0.1:4010/_control: makes a sandbox ' +
        'without a scenario, checks it and drops it; needs no other flag, but ' +
        'TAPEWRIGHT_CONTROL_TOKEN if the control plane has a token',
    }),
    recording: file({
      about:
        'a tape written by record, instead of a target: judges its traffic and sends no ' +
        'request; may be repeated',
      repeatable: true,
      perRun: true,
    }),
    diff: text('URL', {
      about: 'another target with the same keys: reports where the shapes of answers differ',
      perRun: true,
    }),
    watch: text('URL', {
      about:
        'instead of --target: observes it again and again without changing anything, and reports ' +
        'changes of fields, types and answers to open questions',
      perRun: true,
    }),
    every: span(
      { min: '10s', max: '7d' },
      { about: 'interval of --watch', absent: '1h', perRun: true },
    ),
    watchFile: file({
      about: 'where --watch keeps its observations; the first run creates it',
      default: 'tapewright-watch.json',
      perRun: true,
    }),
    only: text('TEXT', {
      about: 'run only cases whose id begins with this, such as answer.perpdex; may be repeated',
      repeatable: true,
    }),
    exclude: text('TEXT', {
      about: 'skip cases whose id begins with this; may be repeated',
      repeatable: true,
    }),
    expect: text('"ID until DAY: REASON"', {
      about:
        'a case that may fail until that day, such as "answer.coin.ticker.1 until 2027-01-31: ' +
        'known there"; may be repeated',
      repeatable: true,
    }),
    baseline: file({ about: 'a JSON report of an earlier run: cases that failed there may fail' }),
    cast: file({
      about:
        'addresses, coins, symbols, orders, builders and twapIds of the target, each a ' +
        'list, as YAML or JSON; with --target',
    }),
    observe: file({
      about: 'write how the target answers the open questions, for serve --questions FILE',
      perRun: true,
    }),
    report: text('FORM[=FILE]', {
      about:
        'junit, html, json or md, and the file; or github alone, for annotations on standard ' +
        'output and the summary of the job; may be repeated',
      repeatable: true,
    }),
    patience: wholeNumber(
      { min: 0, max: 600_000, unit: 'MS' },
      {
        about:
          'longest wait for a push or another event; 60000 is enough to check the idle rule ' +
          'without a control plane',
        default: 5000,
      },
    ),
    rate: wholeNumber(
      { min: 1, max: 1_000_000, unit: 'N' },
      {
        about: 'maximum requests a minute',
        absent:
          'as many as the target answers; requests refused by a rate limit are sent again later',
      },
    ),
    concurrency: wholeNumber(
      { min: 1, max: 64, unit: 'N' },
      { about: 'cases that run in parallel', default: 8 },
    ),
    timeout: wholeNumber(
      { min: 100, max: 600_000, unit: 'MS' },
      { about: 'longest wait for the answer to a request or a frame', default: 15_000 },
    ),
    retries: wholeNumber(
      { min: 0, max: 100, unit: 'N' },
      {
        about: 'how often two answers of a moving market are compared again before the case fails',
        default: 12,
      },
    ),
    seed: wholeNumber(
      { min: 0, max: 2_147_483_647, unit: 'N' },
      {
        about:
          'shuffles the cases by this seed, and starts the clock of a sandbox made for the run ' +
          'at the same instant every time',
        absent: 'the usual order',
      },
    ),
    selfTest: wholeNumber(
      { min: 1, max: 10_000, unit: 'N' },
      {
        about:
          'instead of a report on the target: tells that many drawn lies between the suite and ' +
          'the target, and reports which of them a run notices there',
        absent: 'no lies',
        perRun: true,
      },
    ),
    quiet: given('print no line for each failure'),
    json: given('print the last line as JSON'),
  },
  examples: [
    {
      words:
        'conform --control http://127.0.0.1:4010/_control --only answer.coin ' +
        '--report html=report.html',
      does: 'run some cases against a new sandbox of a running server, with a report',
    },
    {
      words: 'conform --recording session.tape.ndjson --observe observed.json',
      does: 'judge recorded traffic, and write the answers to open questions it shows',
    },
    {
      words:
        'conform --target http://127.0.0.1:4010 --key demo --secret demo-secret ' +
        '--only access --json',
      does: 'check the permissions of keys at a service, with the counts as JSON',
    },
  ],
} as const satisfies Declaration
