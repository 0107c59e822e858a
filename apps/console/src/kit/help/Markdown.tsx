import { createElement, type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { byKey } from '../display/by-key.tsx'
import type { Inline } from './markdown-inline.ts'
import { type Block, type List, parseMarkdown } from './markdown.ts'
import './markdown.css'

/**
 * Renders a user's text as React elements. Markup of the text never reaches the browser, a link leads into the console or
 * to https, a picture comes from our own host.
 */
export function Markdown({
  text,
  top = 3,
}: {
  text: string
  /** The level of its highest heading. */ top?: 2 | 3 | 4
}) {
  const blocks = useMemo(() => withHeadings(parseMarkdown(text), top), [text, top])
  return <div className="markdown">{blocks.map((block, place) => byKey(place, showBlock(block)))}</div>
}

/** Headings descend one level at a time, even where the text skips levels, as screen readers expect. */
function withHeadings(blocks: readonly Block[], top: number): Block[] {
  const written: number[] = []
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block
    while (written.length > 0 && (written.at(-1) ?? 0) >= block.level) written.pop()
    written.push(block.level)
    return { ...block, level: Math.min(top + written.length - 1, 6) }
  })
}

const inlines = (nodes: readonly Inline[]) => nodes.map((node, place) => byKey(place, showInline(node)))

function showInline(node: Inline): ReactNode {
  if (node.kind === 'text') return node.text
  if (node.kind === 'code') return <code>{node.text}</code>
  if (node.kind === 'strong') return <strong>{inlines(node.children)}</strong>
  if (node.kind === 'em') return <em>{inlines(node.children)}</em>
  if (node.kind === 'break') return <br />
  if (node.kind === 'image') return <img src={node.src} alt={node.alt} loading="lazy" />
  if (node.target.kind === 'own') return <Link to={node.target.path}>{inlines(node.children)}</Link>
  return (
    <a href={node.target.href} target="_blank" rel="noopener noreferrer">
      {inlines(node.children)}
    </a>
  )
}

function showBlock(block: Block): ReactNode {
  if (block.kind === 'heading') return createElement(`h${block.level}`, null, inlines(block.children))
  if (block.kind === 'paragraph') return <p>{inlines(block.children)}</p>
  if (block.kind === 'list') return showList(block.list)
  if (block.kind === 'table') return <MarkdownTable head={block.head} rows={block.rows} />
  if (block.kind === 'rule') return <hr />
  if (block.kind === 'quote')
    return <blockquote>{block.blocks.map((inner, place) => byKey(place, showBlock(inner)))}</blockquote>
  return (
    <pre>
      <code>{block.text}</code>
    </pre>
  )
}

function showList({ ordered, start, items }: List): ReactNode {
  const lines = items.map(({ children, below }, place) =>
    byKey(
      place,
      <li>
        {inlines(children)}
        {below.map((list, under) => byKey(under, showList(list)))}
      </li>,
    ),
  )
  return ordered ? <ol {...(start === 1 ? {} : { start })}>{lines}</ol> : <ul>{lines}</ul>
}

function MarkdownTable({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <table>
      <thead>
        <tr>{head.map((cell, place) => byKey(place, <th scope="col">{inlines(cell)}</th>))}</tr>
      </thead>
      <tbody>
        {rows.map((cells, line) =>
          byKey(line, <tr>{cells.map((cell, place) => byKey(place, <td>{inlines(cell)}</td>))}</tr>),
        )}
      </tbody>
    </table>
  )
}
