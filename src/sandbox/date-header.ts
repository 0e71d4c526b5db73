import { httpDate } from '../clock/calendar.ts'

/** The `Date` header by a clock, written once a second. */
export class DateHeader {
  private second = Number.NaN
  private text = ''

  at(nowMs: number): string {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.second) {
      this.second = second
      this.text = httpDate(second * 1000)
    }
    return this.text
  }
}
