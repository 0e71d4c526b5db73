/** The interface of this module. */

export { type Page, type PageMaker, pages } from './documents/pages.ts'
