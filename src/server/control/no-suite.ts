/** What a page has in place of the suite: there it is a package of its own. */
export const loadSuite = (): null => null
