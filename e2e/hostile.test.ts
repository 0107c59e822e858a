import type { Browser } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { open, sql, tokenOf, url } from './browser.ts'
import { sharedBrowser } from './chromium.ts'
import { formulaPayloads, hostileUrls, xssPayloads } from './payloads.ts'
import { rotate } from '../tools/check/tier.ts'

/**
 * Texts that attempt to run or to be fetched, in every text column of a page. They are inserted past the api, because
 * today's schema does not protect older rows.
 */
let browser: Browser
let token: string
const payloads = [...xssPayloads, ...hostileUrls, ...formulaPayloads].map((text) => text.replaceAll('\u0000', ''))
const pages: [name: string, path: string, table: string][] = [
  ['staff', '/system/staff?pageSize=500', 'user_account'],
  ['department', '/system/department?pageSize=500', 'department'],
  ['role', '/system/role?pageSize=500', 'role'],
  ['organise', '/system/organise?pageSize=500', 'organise'],
  ['operatorInfo', '/system/operatorInfo?pageSize=500', 'agent'],
  ['site', '/system/site?pageSize=500', 'site'],
  ['userMaintenance', '/system/userMaintenance?pageSize=500', 'user_account'],
  ['operationArea', '/system/operationArea?pageSize=500', 'operation_area'],
  ['download', '/system/download?pageSize=500', 'download'],
  ['log', '/system/log?pageSize=500', 'audit_log'],
]

beforeAll(async () => {
  browser = await sharedBrowser()
  token = await tokenOf('admin')
  // In their own organisation, so that they do not fill the lists and trees of other tests.
  const [{ id: customer } = { id: '' }] = await sql<{ id: string }>(
    "insert into organise (name) values ('收集文本的机构') returning id",
  )
  const n = 'with hostile as (select text, n from unnest($1::text[]) with ordinality as given (text, n))'
  const one = (text: string, most: number) => `coalesce(nullif(left(${text}, ${most}), ''), 'x')`
  const insert = (into: string, select: string) =>
    sql(`${n} insert into ${into} select ${select} from hostile`, [payloads])
  await insert(
    'organise (name, short_name, contact, address, public_account, mini_program, remark, created_by)',
    `left(text, 50) || n, ${one('text', 20)}, ${one('text', 30)}, text, text, text, text, text`,
  )
  await insert(
    'agent (organise_id, name, contact, address, remark, created_by)',
    `${customer}, left(text, 50) || n, ${one('text', 30)}, text, text, text`,
  )
  await insert(
    'site (organise_id, name, code, contact, address, parking_note, remark, created_by)',
    `${customer}, ${one('text', 60)}, 'H' || n, ${one('text', 30)}, text, text, text, text`,
  )
  await insert(
    'department (organise_id, name, code, type, leader, created_by)',
    `${customer}, ${one('text', 40)}, 'H' || n, 1, text, text`,
  )
  await insert(
    'role (organise_id, name, code, top_level, user_type, created_by)',
    `${customer}, left(text, 24) || n, left(text, 20), 2, 1, text`,
  )
  await insert(
    'user_account (organise_id, user_type, employee_no, name, login_name, phone, email, address, password_hash, created_by)',
    `${customer}, 1, 'H' || n, ${one('text', 30)}, 'hostile' || n, '139' || lpad(n::text, 8, '0'), text, text, 'x', text`,
  )
  await insert(
    'operation_area (organise_id, name, leader, remark, created_by)',
    `${customer}, left(text, 30) || n, ${one('text', 30)}, text, text`,
  )
  await insert(
    'download (organise_id, user_id, list, title, module, query, conditions, columns, created_by)',
    `1, 1, 'site', ${one('text', 80)}, text, '', text, '{}', text`,
  )
})

describe('hostile texts', () => {
  it('cover the whole collection', () => {
    expect([xssPayloads.length, hostileUrls.length, formulaPayloads.length]).toEqual([300, 60, 200])
  })

  it.each(rotate('e2e/hostile: lists', pages, 2))(
    'on the page of %s are shown, and nothing runs or is fetched',
    async (_, path, table) => {
      const { page, settled } = await open(browser, { token })
      const dialogs: string[] = []
      const foreign: string[] = []
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message())
        void dialog.dismiss()
      })
      await page.route(
        (address) => !address.href.startsWith(url) && !/^(data|blob):/.test(address.href),
        (route) => {
          foreign.push(route.request().url())
          return route.abort()
        },
      )
      await page.goto(path)
      await page
        .getByText(/共 \d+ 条|超过 \d+ 条/)
        .first()
        .waitFor()
      await settled()
      // To the last row, because rows render when they come into view.
      for (let step = 0; step < 12; step++) {
        await page.mouse.move(720, 600)
        await page.mouse.wheel(0, 4000)
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      }
      await settled()
      expect({ dialogs, foreign, table }).toEqual({ dialogs: [], foreign: [], table })
      expect(
        await page.evaluate(
          'document.querySelectorAll(".ant-table script, .ant-table iframe, .ant-table object").length',
        ),
      ).toBe(0)
      expect(page.url().startsWith(url)).toBe(true)
    },
  )
})
