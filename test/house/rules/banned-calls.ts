import { locationOf, type Source } from './source-file.ts'

interface Ban {
  /** Banned code, without comments and strings. */
  pattern: RegExp
  name: string
  instead: string
  /** Allowed path prefixes, with reasons. */
  except: Record<string, string>
}

const SYSTEM_CLOCK_FILE = { 'src/clock/system-clock.ts': 'the one file that touches machine time' }
const USE_CLOCK = 'the clock: sandbox.clock, or the machine of src/clock/system-clock.ts'
const USE_RANDOM_SOURCE = 'RandomSource of src/random/random-source.ts'

const BANS: Ban[] = [
  { pattern: /\bDate\.now\b/g, name: 'Date.now', instead: USE_CLOCK, except: SYSTEM_CLOCK_FILE },
  {
    pattern: /\bnew Date(\(\s*\)|(?!\w|\())/g,
    name: 'new Date()',
    instead: USE_CLOCK,
    except: SYSTEM_CLOCK_FILE,
  },
  {
    pattern: /(?<!new )(?<![\w.])Date\(/g,
    name: 'Date()',
    instead: USE_CLOCK,
    except: SYSTEM_CLOCK_FILE,
  },
  {
    pattern: /\bperformance\b/g,
    name: 'performance',
    instead: USE_CLOCK,
    except: SYSTEM_CLOCK_FILE,
  },
  {
    pattern: /\bhrtime\b|\bnanoseconds\b/g,
    name: 'hrtime',
    instead: USE_CLOCK,
    except: SYSTEM_CLOCK_FILE,
  },
  {
    pattern: /\bset(Timeout|Interval|Immediate)\b/g,
    name: 'a timer',
    instead: 'an alarm of the session clock: clock.at(timeMs, task)',
    except: {
      ...SYSTEM_CLOCK_FILE,
      'src/platform/next-turn.ts': 'what the clock has of a runtime',
    },
  },
  { pattern: /\bBun\.sleep(Sync)?\b/g, name: 'Bun.sleep', instead: USE_CLOCK, except: {} },
  { pattern: /\bMath\.random\b/g, name: 'Math.random', instead: USE_RANDOM_SOURCE, except: {} },
  {
    pattern: /\brandomUUID|\bgetRandomValues\b|\brandomBytes\b|\brandomInt\b/g,
    name: 'randomness of the machine',
    instead: USE_RANDOM_SOURCE,
    except: {},
  },
  {
    pattern: /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/g,
    name: 'the environment',
    instead: 'a value handed in by a command',
    except: {
      'src/platform/environment.ts': 'the edge: it reads it and hands it on',
      'src/server/embedding/environment.ts': 'the edge of a program that makes sandboxes',
      'src/sandbox/worlds/casting-process.ts': 'it hands it on whole to a process of its own',
    },
  },
  {
    pattern: /(?<![\w.])fetch\(|\bglobalThis\.fetch\b/g,
    name: 'fetch',
    instead: 'the client of src/clients/service',
    except: {
      'src/clients/service/': 'it is the client',
      'src/clients/control/': 'it is the client of the control plane',
      'src/server/embedding/create-sandbox.ts': 'it looks at what its clients send',
      'src/conformance/': 'it asks the service that it judges',
      'src/pages/console/session/documents.ts': 'it loads documents that are served with the page',
      'src/server/commands/health.ts': 'it asks a server that may not be there yet',
      'src/server/commands/doctor.ts': 'it asks what listens at an address, whatever it is',
      'src/server/transport/msw/network-backend.ts': 'it asks the sandbox that is to answer',
      'src/tape/replay/upstream.ts': 'it asks the service that is replayed',
      'src/server/browser/pocket-files.ts': 'it loads what is served with the page',
      'src/tape/sources/source-list.ts': 'it reads recordings from where they lie',
    },
  },
  {
    pattern: /\bObject\.assign\(\s*this\b/g,
    name: 'Object.assign(this, …)',
    instead: 'a value that is swapped as a whole',
    except: {},
  },
  {
    pattern: /\w!:/g,
    name: 'a field without a value',
    instead: 'a value given as the field is declared, or in the constructor',
    except: {},
  },
  {
    pattern: /\.size >=? \w+\)\s+[\w.]+\.clear\(\)/g,
    name: 'a cache of one’s own',
    instead: 'the Cache of src/market/world/cache.ts',
    except: {},
  },
  {
    pattern: /\bdb\s*\.\s*(prepare|query)\b/g,
    name: 'a statement whose rows have no type',
    instead: 'columns() of src/market/rows/columns.ts',
    except: {
      'src/market/rows/': 'it makes the others',
      'src/market/casting/': 'it writes rows, and its tests look at what was written',
      'src/market/growth/': 'it writes rows, and goes on from those that are there',
      'src/market/crowd/account-ledger.ts': 'it writes rows',
      'src/market/world/database.ts': 'it reads meta, which has texts by key',
      'src/market/world/pocket.ts': 'it asks for the names of indexes',
      'src/sandbox/state-file/': 'it keeps documents, not rows of the world',
    },
  },
  { pattern: /\bTODO\b|\bFIXME\b/g, name: 'TODO', instead: 'an issue, or do it', except: {} },
]

/** Banned words, each with its place and the alternative. */
export function banFindings(sources: Source[]): string[] {
  return sources.flatMap((source) =>
    BANS.filter(
      (ban) => !Object.keys(ban.except).some((folder) => source.path.startsWith(folder)),
    ).flatMap((ban) =>
      [...searchedText(source, ban).matchAll(ban.pattern)].map((found) =>
        findingText(source, found, ban),
      ),
    ),
  )
}

/** Notes to oneself are searched in comments, everything else in code. */
function searchedText(source: Source, ban: Ban): string {
  return ban.name === 'TODO' ? source.text : source.code
}

function findingText(source: Source, found: RegExpExecArray, ban: Ban): string {
  return `${locationOf(source, found.index)}: ${ban.name} is banned, use ${ban.instead}`
}
