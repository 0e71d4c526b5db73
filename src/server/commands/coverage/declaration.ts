/** The flags of `tapewright coverage`. */
import type { Declaration } from '../command.ts'
import { choice, file, number, text } from '../flag.ts'
import { SERVER_FLAGS } from '../running-server.ts'

export const COVERAGE = {
  name: 'coverage',
  summary: 'show which sentences of the contract clients have met',
  about:
    'Reports which requirements, operations, parameters, caps, refusals, channels, transitions ' +
    'and scenarios clients have met and handled: in a sandbox of a running server, or in files ' +
    'of earlier runs, which are added. With --threshold the code is 1 where fewer percent of ' +
    'the requirements were met.',
  argument: { placeholder: 'FILE', noun: 'coverage file', min: 0, max: 10_000, completes: 'file' },
  flags: {
    report: choice(['text', 'json', 'lcov', 'html', 'file'], {
      about: 'form of the report; file: a coverage file, to be added to others',
      default: 'text',
    }),
    out: file({ about: 'write the report there', absent: 'standard output' }),
    threshold: number(0, 100, {
      about: 'code 1 where fewer percent of the requirements were met',
      absent: 'none',
    }),
    group: text('GROUP', {
      about: 'only this group of the contract, such as perpdex or sockets',
      repeatable: true,
      absent: 'all',
    }),
    badge: file({ about: 'write a badge for a README there, as SVG', absent: 'none' }),
    ...SERVER_FLAGS,
  },
  examples: [
    {
      words: 'coverage --url http://127.0.0.1:4010',
      does: 'what was met in the default sandbox of a running server',
    },
    {
      words: 'coverage --url http://127.0.0.1:4010 --report file --out coverage.json',
      does: 'the same as a file, which can be added to those of other runs',
    },
  ],
} as const satisfies Declaration
