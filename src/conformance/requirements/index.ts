import { byAnswers, byValues, type Requirement, requirementsOfSection } from './requirement.ts'

/** Indexes. */
export const INDEX: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'index.price.key': 'The key of an index price is in the index list.',
    'index.info.lan': byValues('lan of the index info is en or cn.', 'index.info'),
  }),
  ...requirementsOfSection('Resources: Index', {
    'record.indexPrice': byAnswers('An index price has nine texts.', 'index.price'),
    'record.indexInfo': byAnswers('An index info has eight texts.', 'index.info'),
    'record.indexItem': byAnswers(
      'An item of the index list has nine texts, and the list has a count as text.',
      'index.list',
    ),
    'record.indexItem.count': 'count of the index list is the number of its items, as text.',
  }),
]
