/** CI sets another name, so that two runs on one machine do not collide. */
export const runName = process.env['TEST_RUN'] ?? 'wattdeck_test'
export const templateDatabase = `${runName}_template`
