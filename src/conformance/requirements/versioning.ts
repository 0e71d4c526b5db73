import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** What may be older. */
export const VERSIONING: readonly Requirement[] = [
  ...requirementsOfSection('Versioning', {
    'version.prefix':
      'The segment v2 is part of every path, and /api/upgrade/v2 is the prefix that works.',
    'version.newActions': 'A level serves a new action only after it has been PUT with it.',
    'version.builderPerpValue': byAnswers(
      'Accounts and statistics carry builderPerpValue.',
      'perpdex.tradersAccounts',
      'perpdex.tradersStatistics',
    ),
  }),
]
