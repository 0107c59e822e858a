/** Stands in the README: whoever has read it can log in where the demo data is. */
export const demoPassword = 'Charge-2026-Demo'
export const demoLoginNames = [
  'admin',
  'platform',
  'green',
  'agent',
  'site',
  'unionpay',
  'simcard',
  'investor',
  'tester',
  'installer',
  'swift',
  'arrears',
]
