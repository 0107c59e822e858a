import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { pictureProblem } from './picture.ts'
import { PictureField } from './PictureField.tsx'
import { PictureUpload } from './PictureUpload.tsx'
import { queryClient } from '../api/queries.ts'

describe('a picture', () => {
  it.each(['image/jpeg', 'image/png'])('of type %s and 800 KB may be sent', (type) => {
    expect(pictureProblem({ type, size: 819_200 })).toBeUndefined()
  })

  it('may not be larger', () => {
    expect(pictureProblem({ type: 'image/png', size: 819_201 })).toBe('图片大小不能超过800KB')
  })

  it.each(['image/gif', 'image/svg+xml', 'image/webp', 'application/pdf', ''])('may not be %j', (type) => {
    expect(pictureProblem({ type, size: 10 })).toBe('仅支持 JPG、PNG 格式')
  })
})

describe('a field for a picture', () => {
  const drawn = (element: ReactElement) =>
    renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, element))

  it('offers an upload where there is none, and names the accepted types', () => {
    const text = drawn(createElement(PictureUpload, { alt: '站点照片' }))
    expect(text).toContain('上传图片')
    expect(text).toContain('JPG 或 PNG，不超过 800KB')
    expect(text).toContain('accept="image/jpeg,image/png"')
    expect(text).not.toContain('移除')
  })

  it('shows the picture, with replace and remove unless it is disabled', () => {
    const text = drawn(createElement(PictureUpload, { value: '7', alt: '站点照片' }))
    for (const part of ['站点照片加载中', '更换', '移除']) expect(text).toContain(part)
    expect(drawn(createElement(PictureUpload, { value: '7', disabled: true }))).not.toContain('更换')
  })

  it('is loaded when it is first shown', () => {
    expect(drawn(createElement(PictureField, { value: '7' }))).not.toContain('更换')
  })
})
