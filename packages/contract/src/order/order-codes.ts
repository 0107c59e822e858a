import { codes } from '../kit/codes.ts'
import { withoutOptions } from '../kit/offered-codes.ts'

export const orderStatus = codes({
  starting: { code: 1, label: '启动中', tone: 'book' },
  charging: { code: 2, label: '充电中', tone: 'run' },
  billed: { code: 3, label: '已完成', tone: 'ok' },
  released: { code: 4, label: '未启动', tone: 'off' },
  review: { code: 5, label: '待复核', tone: 'warn' },
})
/** A bill that arrives after the money was released goes to review, like every other doubt. */
export const orderFlow = orderStatus.flow({
  confirm: { from: ['starting'], to: 'charging' },
  bill: { from: ['starting', 'charging', 'review'], to: 'billed' },
  release: { from: ['starting', 'review'], to: 'released' },
  doubt: { from: ['starting', 'charging', 'released'], to: 'review' },
})

/** 启动方式. */
export const startMode = withoutOptions(
  codes({
    scan: { code: 1, label: '扫码' },
    card: { code: 2, label: '刷卡' },
    plate: { code: 3, label: '车牌' },
    vin: { code: 4, label: 'VIN' },
    remote: { code: 5, label: '远程' },
    thirdParty: { code: 6, label: '第三方' },
    offline: { code: 7, label: '离线' },
  }),
  ['plate', 'vin', 'thirdParty'],
)

/** The requested limit of a charge; the values are fen, minutes and 1/10000 kWh. */
export const chargeLimit = codes({
  money: { code: 1, label: '按金额' },
  minutes: { code: 2, label: '按时长' },
  energy: { code: 3, label: '按电量' },
  full: { code: 4, label: '充满为止' },
})

/** Why an order needs a review before it is billed. */
export const reviewReason = codes({
  zeroBaseline: { code: 'zeroBaseline', label: '起始表底为零' },
  backwards: { code: 'backwards', label: '电表读数倒走' },
  tooMuchEnergy: { code: 'tooMuchEnergy', label: '电量异常（大于功率×时长）' },
  tooLong: { code: 'tooLong', label: '时长超过实际经过时间' },
  overlap: { code: 'overlap', label: '与同端口其他订单重叠' },
  amountDiffers: { code: 'amountDiffers', label: '与设备计费相差过大' },
  noPayer: { code: 'noPayer', label: '无付款用户' },
  notHeld: { code: 'notHeld', label: '没有预付金额' },
  unknownOrder: { code: 'unknownOrder', label: '无对应订单' },
  noNumber: { code: 'noNumber', label: '账单无订单号，无法确定所属订单' },
  late: { code: 'late', label: '预付款释放后才上报账单' },
  noBill: { code: 'noBill', label: '账单超时未上报' },
  noTariff: { code: 'noTariff', label: '没有消费标准' },
  badUsage: { code: 'badUsage', label: '计量数据超出范围' },
  contested: { code: 'contested', label: '设备连接存在冒名嫌疑' },
  contradicts: { code: 'contradicts', label: '同一次充电有不同账单' },
})
export type ReviewReason = keyof typeof reviewReason.code
