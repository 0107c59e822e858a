import { Component, type ReactNode } from 'react'
import { FailedPane } from '../../../kit/display/States.tsx'

type Props = { title: string; children: ReactNode }

/** An error boundary: a card that fails to render or to load shows the failure, and the others stay. */
export class CardBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { title, children } = this.props
    if (this.state.error === undefined) return children
    return (
      <section className="panel block" aria-label={title}>
        <FailedPane error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
      </section>
    )
  }
}
