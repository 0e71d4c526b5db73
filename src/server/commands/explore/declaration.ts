/** The flags of `tapewright explore`. */
import { LEVELS } from '../../explore/plan.ts'
import type { Declaration } from '../command.ts'
import { choice, file, given, span, text, wholeNumber } from '../flag.ts'

export const EXPLORE = {
  name: 'explore',
  summary: 'find where a client breaks',
  about:
    'Runs a command again and again, each time in a sandbox of its own with another plan of ' +
    'trouble: faults, market events, changes of its key, jumps of the clock, seeks, other ' +
    'answers to open questions. The first run is without trouble. The exit code of the ' +
    'command, its claims and the journal of the sandbox say whether it has survived. A ' +
    'failure is shrunk to the smallest plan. The command gets TAPEWRIGHT_BASE_URL, ' +
    'TAPEWRIGHT_WS_BASE_URL, TAPEWRIGHT_ACCESS_KEY, TAPEWRIGHT_SECRET_KEY, ' +
    'TAPEWRIGHT_CONTROL_URL and TAPEWRIGHT_SANDBOX. The code is 1 when something was found, ' +
    'and 2 when the command fails without any trouble.',
  argument: { placeholder: '-- COMMAND', noun: 'command', min: 1, max: 1_000 },
  flags: {
    runs: wholeNumber(
      { min: 1, max: 1_000_000 },
      { about: 'number of runs after the first', default: 100 },
    ),
    for: span(
      { min: '1s', max: '2d' },
      { about: 'no run begins after this time of the machine', absent: 'no bound' },
    ),
    seed: wholeNumber(
      { min: 0, max: 2_000_000_000 },
      { about: 'seed of the first run; each further one has the next', default: 1 },
    ),
    level: choice(LEVELS, { about: 'how severe the trouble is', default: 'stormy' }),
    coins: text('COIN', {
      about: 'a coin that the trouble is about',
      repeatable: true,
      absent: 'any',
    }),
    clock: choice(['held', 'running'], {
      about: 'held: time is moved as fast as the client keeps up; running: it goes by itself',
      default: 'held',
    }),
    length: span(
      { min: '1s', max: '1h' },
      { about: 'length of a plan, session time', default: 45_000 },
    ),
    plan: file({ about: 'carry out this plan alone' }),
    corpus: file({
      about: 'what earlier runs have reached: it guides these, and is added to',
      absent: 'none',
    }),
    coverage: file({
      about: 'write what all runs have met of the contract there',
      absent: 'none',
    }),
    parallel: wholeNumber({ min: 1, max: 64 }, { about: 'runs at the same time', default: 2 }),
    timeout: span(
      { min: '1s', max: '1h' },
      {
        about: 'longest time in which the command may begin, and end after its plan',
        default: 30_000,
      },
    ),
    without: text('JUDGE', {
      about: 'switch a judge off, such as pace or claim',
      repeatable: true,
      absent: 'all judge',
    }),
    shrink: wholeNumber(
      { min: 0, max: 10_000 },
      { about: 'maximum number of runs that shrink a failure', default: 60 },
    ),
    out: text('FOLDER', {
      about: 'folder for the files of a failure',
      absent: 'explore-SEED',
    }),
    json: given('print the outcome as one line of JSON'),
  },
  examples: [
    {
      words: 'explore --runs 2 --level calm --length 3s -- sh client.sh',
      does: 'run a client without trouble, and twice with a little',
    },
    {
      words: 'explore --runs 1 --seed 7 --length 3s --without claim --json -- sh client.sh',
      does: 'the run of one seed, with the outcome as JSON',
    },
  ],
} as const satisfies Declaration
