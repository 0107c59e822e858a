import type pg from 'pg'

/** Places of the demo's sites: real districts, each with a point inside it, its agent, and its sites. */
export type District = {
  organise: number
  code: string
  lng: number
  lat: number
  agent: number | null
  names: string[]
}

const at = (
  organise: number,
  code: string,
  lng: number,
  lat: number,
  agent: number | null,
  names: string,
): District => ({
  organise,
  code,
  lng,
  lat,
  agent,
  names: names.split(' '),
})
const districts: District[] = [
  at(2, '330110', 119.979, 30.274, 2, '翠湖花园一期 万科良渚文化村 未来科技城人才公寓 余杭高铁站 闲林水乡'),
  at(2, '330106', 120.13, 30.26, 5, '西溪诚园 紫金港公寓 绿城桂花园'),
  at(2, '330108', 120.212, 30.208, null, '滨江壹号 龙湖天街停车场 阿里中心'),
  at(2, '330102', 120.169, 30.242, 5, '钱江新城 联胜新村'),
  at(2, '330105', 120.142, 30.319, 4, '武林广场 杭氧杭锅'),
  at(2, '330109', 120.264, 30.184, null, '钱江世纪城 萧山宝龙'),
  at(2, '330212', 121.547, 29.817, 7, '鄞州万达广场 宁波南部商务区'),
  at(2, '330402', 120.783, 30.748, 1, '南湖天地 嘉兴科技城'),
  at(2, '330502', 120.186, 30.857, 1, '吴兴大厦'),
  at(2, '330602', 120.582, 29.988, 6, '越城新天地 镜湖新区广场'),
  at(3, '510104', 104.083, 30.656, 8, '锦绣华庭 春熙路停车楼'),
  at(3, '510105', 104.062, 30.674, 3, '西村大院 宽窄巷子停车场'),
  at(3, '510106', 104.052, 30.691, null, '交大智慧城 欢乐谷公寓'),
  at(3, '510107', 104.043, 30.642, 3, '玉林小区 环球中心 川大望江校区'),
  at(3, '510108', 104.101, 30.66, 9, '东郊记忆 建设路广场'),
  at(3, '510112', 104.275, 30.557, null, '龙泉大面铺 经开区公寓'),
  at(3, '510116', 103.924, 30.574, null, '双流空港花园 麓湖生态城'),
  at(3, '510703', 104.757, 31.455, 10, '涪城万达 科技城新区'),
  at(3, '510603', 104.417, 31.143, 10, '旌湖半岛'),
  at(4, '610103', 108.934, 34.231, 11, '交大东校区 文艺路小区'),
  at(4, '610113', 108.949, 34.222, 12, '曲江池小区 大雁塔北广场 高新软件园 雁塔文化新天地 电子城步行街'),
  at(4, '610112', 108.947, 34.293, null, '未央湖花园 凤城五路 龙首原小区'),
  at(4, '610116', 108.907, 34.159, 11, '长安大学城 韦曲南站'),
  at(4, '610104', 108.944, 34.265, null, '大唐西市 钟楼停车场'),
  at(4, '610111', 109.065, 34.273, null, '浐灞半岛 灞河新区'),
  at(4, '610402', 108.706, 34.329, null, '秦都人民路 咸阳高新花园'),
]
const contacts = ['吴小燕', '郑建军', '冯丽', '褚卫东', '蒋雪梅', '沈浩']

/** Adds the missing sites, identified by number. */
export async function addDemoSites(client: pg.Client, more: readonly District[]): Promise<void> {
  const rows = [...districts, ...more]
    .flatMap((district) => district.names.map((name) => ({ ...district, name })))
    .map(({ organise, name, agent, code, lng, lat }, place) => {
      const drift = ((place * 37) % 23) / 1000 - 0.011
      return {
        place: place + 1,
        organise,
        name,
        agent,
        district: code,
        lng: lng + drift,
        lat: lat - drift / 2,
        type: (place % 5) + 1,
        spaces: 20 + ((place * 53) % 180),
        capacity: [315, 400, 630, 800, 1250][place % 5] ?? 630,
        contact: contacts[place % contacts.length] ?? '吴小燕',
        phone: `1370573${String(1000 + place)}`,
        price: (place % 3) + 1,
      }
    })
  await client.query(
    `insert into site (id, organise_id, agent_id, name, type, province_code, city_code, district_code, address, lng, lat, contact, phone,
       parking_spaces, capacity_kva, price_type, open_hours, insured, insured_until, parking_note, status, created_by, created_at)
     select place, organise, agent, demo.name, type, city.parent_adcode, city.adcode, region.adcode, region.name || '建设路' || place * 8 || '号', demo.lng, demo.lat, contact, phone,
       spaces, capacity, price, case when place % 4 = 0 then '06:00-23:00' else '00:00-24:00' end, place % 3 = 0,
       case when place % 3 = 0 then date '2027-06-30' end, case when place % 2 = 0 then '充电期间停车免费2小时' end,
       case when place % 19 = 0 then 0 else 1 end, '张伟', now() - make_interval(days => 400 - place::int * 5)
     from jsonb_to_recordset($1::jsonb) as demo (organise bigint, agent bigint, name text, type int, district text, lng float8, lat float8,
       contact text, phone text, spaces int, capacity int, price int, place bigint)
     join region on region.adcode = demo.district join region city on city.adcode = region.parent_adcode
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
}
