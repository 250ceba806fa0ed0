use std::time::Instant;
fn cpu()->(u64,u64){let s=std::fs::read_to_string("/proc/self/stat").unwrap();let f:Vec<&str>=s.rsplit(") ").next().unwrap().split(' ').collect();(f[11].parse().unwrap(),f[12].parse().unwrap())}
fn main(){ for huge in [false,true,false,true,false,true] { for n in [20_000_000usize,100_000_000]{ let c=cpu(); let t=Instant::now(); let mut v=vec![0u32;n];
 if huge { let a=(v.as_ptr() as usize + 4095)& !4095; let e=(v.as_ptr() as usize+4*n)&!4095; let _=unsafe{rustix::mm::madvise(a as *mut _, e-a, rustix::mm::Advice::LinuxHugepage)}; }
 for (i,x) in v.iter_mut().enumerate(){*x=i as u32;} let d=cpu(); println!("huge {huge} n {n} {:?} user {} sys {} {}", t.elapsed(), (d.0-c.0)*10,(d.1-c.1)*10, v[n-1]); }}}
