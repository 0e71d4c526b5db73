import { startBackgroundTimer } from '../../clock/system-clock.ts'

/** A line that nobody is on is closed after so long. */
const IDLE_MS = 60_000

/** Who is on a line, which is closed when nobody has been for a while. */
export class LineUsers {
  private count = 0
  private stopClosing = () => {}

  constructor(
    private readonly mayClose: () => boolean,
    private readonly close: () => void,
  ) {}

  /** One more, until the result is called. */
  add(): () => void {
    this.stopClosing()
    this.count++
    let isOn = true
    return () => {
      if (!isOn) return
      isOn = false
      this.count--
      this.review()
    }
  }

  /** It is used now, or no more: if by nobody, it is closed later. */
  review(): void {
    this.stopClosing()
    if (this.count > 0) return
    this.stopClosing = startBackgroundTimer(IDLE_MS, () => {
      if (this.mayClose()) this.close()
      else this.review()
    })
  }
}
