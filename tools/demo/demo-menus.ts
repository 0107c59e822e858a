/** What people of the demo may see, by what they do. */
const customerMenus = ['1.4', '1.4.3', '1.4.4', '1.4.5', '1.1.5', '1.1.7']
const deviceMenus = ['4', '4.1', '4.1.1', '4.1.2', '4.1.3', '4.1.4', '4.1.5', '4.1.7', '4.1.8', '1.2', '1.2.2']
const memberMenus = ['6', '6.1', '6.7', '6.9', '2.6', '2.17']
const orderMenus = [
  '7',
  '7.1',
  '7.2',
  '7.3',
  '7.4',
  '7.5',
  '7.6',
  '7.9',
  '7.10',
  '7.11',
  '7.12',
  '7.16',
  '7.20',
  '7.21',
]
/** How an organisation takes money; nothing of its agents and sites. */
export const payMenus = ['8', '8.1', '8.2', '8.8', '8.30']
/** A link shows the whole organisation, so nobody below it makes one. */
export const screenMenus = ['10', '10.4']
const settingMenus = ['1', '1.1', '1.1.2', '1.1.3', '1.1.6', '1.5', '2', '2.1', '2.18']
export const tenantMenus = [...settingMenus, ...customerMenus, ...deviceMenus, ...memberMenus, ...orderMenus]
export const lookingOnly = ['2', '2.1']
export const installing = [...lookingOnly, '4', '4.1', '4.1.3', '4.1.8']
