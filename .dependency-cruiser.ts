/**
 * The modules of `src`, what each may import, and its doors: the only files that others import.
 * `bun run check` runs dependency-cruiser with these rules; `bun x depcruise src` runs them alone.
 */
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

export interface ModuleRule {
  /** Modules that it may import, besides the leaves. */
  imports: readonly string[]
  /** Files that others may import, from the module's folder, without `.ts`; `x/` is every file. */
  doors: string
}

export const LEAVES = ['clock', 'decimal', 'platform', 'random']

export const MODULES: Readonly<Record<string, ModuleRule>> = {
  contract: {
    imports: [],
    doors: `
      access actions alert-catalogue catalogue channel channels coverage-points dex dialect
      documents/asyncapi documents/components documents/demo-keys documents/description
      documents/openapi documents/reference facts facts/ fields/field-check
      fields/json-bounds fields/nearest-name fields/yaml-text identities identities/identity
      identities/question-requests info/index json-templates meaning operation operations
      operations/signal/alert-settings operations/signal/alerts parameter-reader parameters
      paths prefixes questions questions/leniency questions/question reason-text records/
      refusal refusal-basis refusal-forms requested-ranges responses/order-status schema
      schema-walk served-operations shown-value signature signature-check span tenant
      timeline venue`,
  },
  market: {
    imports: ['contract'],
    doors: `
      bars/recorded-past bars/silence-log casting/cast-file casting/survey/tape-survey
      casting/tape-input casting/venue events/event-kind events/event-schedule
      events/market-event growth/growth growth/growth-version growth/line-file
      growth/line-opening playback/timeline rows/step-series schema/trader-rows
      synth/instrument-profile synth/mood synth/order-matching synth/synth-event
      synth/synthesiser wasm/wasm-database wasm/wasm-sqlite world/cache world/cast
      world/facts world/market-standing world/money-decimals world/packed-world world/pocket
      world/pocket-file world/warming world/world world/world-file`,
  },
  tape: {
    imports: ['contract', 'market'],
    doors: `
      candles/candle-file compression cut har/har-export importers/contract-size
      importers/form-choice importers/importer importers/mapping/mapping
      importers/mapping/mapping-suggestion recorder/file/file-sink recorder/recorder
      recorder/redaction/redaction recorder/upstream-address replay/as-recorded/
      replay/market/market-fact replay/market/normalisation replay/upstream synth/listing
      synth/synthesis tape-difference tape-event tape-import tape-inspection tape-merge tape-name
      tape-profile tape-reader tape-writer`,
  },
  sandbox: {
    imports: ['contract', 'market', 'tape'],
    doors: `
      claims/claim-forms claims/claim-judging coverage/coverage event-condition
      fault-injection journal/journal loaded-world market-events/event-request
      market-events/scenario-coins memory metrics/server-metrics numbered-map
      pipeline/explanation pipeline/http-message pipeline/operation-call pipeline/pipeline
      pipeline/shared-request playhead registry sandbox sandbox-config sandbox-store
      scenario/faults scenario/scenario scenario/scenario-library scenario/scenario-list
      scenario/scenario-parser session/frame-inbox session/send-queue session/session
      session/socket-journal session/socket-upgrade session/subscription-hub
      shared-state/redis-connection shared-state/redis-store shared-state/redis-url
      snapshot/sandbox-state snapshot/state-parts some-names state-file/state-file
      story/story-library story/story-parser tape-player tenancy/api-key
      tenancy/key-management tenancy/tenancy timeline-run world-provider worlds/casting-process worlds/line-grower
      worlds/market-line worlds/memory-lines`,
  },
  server: {
    imports: ['contract', 'market', 'tape', 'sandbox', 'clients', 'conformance', 'pages'],
    doors: `
      browser/pocket-sandbox commands/command commands/config-sections commands/dispatch
      commands/flag commands/terminal embedding/bun embedding/bun-executable
      embedding/bun-version embedding/create-sandbox embedding/environment
      embedding/in-process-server embedding/node explore/clients explore/explore
      playwright/fixture transport/msw/index`,
  },
  clients: {
    imports: ['contract'],
    doors: `
      control/control control/records service/book/local-book service/checking/checker
      service/checking/contract-checker service/client service/contract-types service/contract/
      service/errors service/lean-client service/requests/pages service/requests/refusal-kind
      service/requests/request service/requests/request-sender service/settings
      service/streams/subscription`,
  },
  conformance: {
    imports: ['contract'],
    doors: `
      conform conform-settings conversation http-transport lies/lies observation
      recording/recorded-answers recording/recording-judge report reports/ requirements
      runner samples/shell samples/test-file self-test target target-differences
      target-place target-transport watch/drift watch/watch`,
  },
  pages: {
    imports: ['contract', 'clients', 'conformance'],
    doors: 'documents/pages',
  },
}

/** What stands beside the modules, with all of their imports: nothing imports them. */
const AROUND: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  random: ['platform'],
  decimal: ['platform'],
  clock: ['platform'],
  'index.ts': ['platform', 'server'],
  'index-node.ts': ['platform', 'server'],
  'main.ts': ['platform', 'server'],
  launcher: [...LEAVES, 'main.ts', 'server'],
  entries: [...LEAVES, 'contract', 'clients', 'conformance', 'server'],
}

/** The only places that import a package: paths from `src` begin so. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  elysia: ['server/transport/elysia/'],
  '@elysiajs': ['server/transport/elysia/'],
  msw: ['server/transport/msw/'],
  '@playwright': ['server/playwright/'],
  'drizzle-orm': ['market/', 'sandbox/state-file/'],
  'bun:sqlite': ['market/', 'sandbox/state-file/'],
  '@sqlite.org': ['market/wasm/'],
  '@prometheus-io': ['server/control/metrics/metric-family.ts'],
  '@faker-js': ['random/'],
  leven: ['contract/fields/nearest-name.ts'],
  'lru-cache': ['market/world/cache.ts'],
  '@noble': ['platform/'],
  ws: ['platform/'],
  preact: ['pages/console/'],
  '@preact': ['pages/console/'],
  'lightweight-charts': ['pages/console/'],
  buffer: ['platform/browser-buffer.ts'],
  hyparquet: ['tape/importers/parquet-rows.ts'],
  'hyparquet-compressors': ['tape/importers/parquet-rows.ts'],
  memoirist: ['conformance/answer-content.ts', 'sandbox/pipeline/operation-call.ts'],
}

const TESTS = '[.]test[.]tsx?$'
const literal = (text: string) => text.replaceAll('.', '[.]')
const anyOf = (texts: readonly string[]) => `(?:${texts.map(literal).join('|')})`

/** `main.ts` is a file of `src`, `market` a folder. */
const areaPath = (name: string) => (name.endsWith('.ts') ? `${name}$` : `${name}/`)
const areas = (names: readonly string[]) => `^src/${anyOf(names.map(areaPath))}`

function orderRule([name, imports]: [string, readonly string[]]): IForbiddenRuleType {
  return {
    name: `order-of-${name}`,
    comment: `${name} imports only ${imports.join(', ') || 'nothing of ours'}`,
    severity: 'error',
    from: { path: areas([name]) },
    to: { path: '^src/', pathNot: areas([name, ...imports]) },
  }
}

function doorRules([name, { doors }]: [string, ModuleRule]): IForbiddenRuleType[] {
  const files = doors.trim().split(/\s+/)
  const places = files.map((file) => (file.endsWith('/') ? file : `${file}.ts`))
  const path = `^src/${name}/${anyOf(places)}`
  const others = { path: '^src/', pathNot: [`^src/${name}/`, TESTS] }
  const door: IForbiddenRuleType = {
    name: `doors-of-${name}`,
    comment: `a private file of ${name}: its doors are in .dependency-cruiser.ts`,
    severity: 'error',
    from: others,
    to: { path: `^src/${name}/`, pathNot: path },
  }
  const unused = files
    .filter((file) => !file.endsWith('/'))
    .map((file): IForbiddenRuleType => {
      const of = `^src/${name}/${literal(file)}[.]ts$`
      return {
        name: `unused-door-of-${name}`,
        comment: 'nothing else imports it: take it off the doors in .dependency-cruiser.ts',
        severity: 'error',
        from: others,
        module: { path: of, numberOfDependentsLessThan: 1 },
      }
    })
  return [door, ...unused]
}

const packageRule = ([name, homes]: [string, readonly string[]]): IForbiddenRuleType => ({
  name: `home-of-${name}`,
  comment: `only ${homes.map((home) => `src/${home}`).join(' and ')} may import ${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${anyOf(homes)}` },
  to: { path: name.startsWith('bun:') ? `^${name}$` : `^node_modules/${literal(name)}/` },
})

const ORDER = {
  ...AROUND,
  ...Object.fromEntries(
    Object.entries(MODULES).map(([name, { imports }]) => [name, [...LEAVES, ...imports]]),
  ),
}

const CONFIGURATION: IConfiguration = {
  forbidden: [
    ...Object.entries(ORDER).map(orderRule),
    {
      name: 'unlisted-module',
      comment: 'each module stands in .dependency-cruiser.ts, with what it may import',
      severity: 'error',
      from: { path: '^src/', pathNot: areas(Object.keys(ORDER)) },
      to: {},
    },
    ...Object.entries(MODULES).flatMap(doorRules),
    {
      name: 'schemas-only',
      comment: 'records of the contract are schemas, what uses them stands elsewhere',
      severity: 'error',
      from: { path: '^src/contract/records/' },
      to: { pathNot: '^src/contract/(?:(?:schema|meaning|look-back)[.]ts$|records/)' },
    },
    ...Object.entries(PACKAGE_HOMES).map(packageRule),
    {
      name: 'unresolved',
      comment: 'what does not resolve evades the other rules',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['bun', 'types', 'import', 'node', 'default'],
    },
  },
}

export default CONFIGURATION
