// SPDX-License-Identifier: GPL-2.0
//! A QUIC stack in virtual time over two links: quinn-proto sends a file over a radio. All of quinn is as it
//! is: its handshake, loss detection, congestion control. Minutes of that take moments.

use std::ffi::{CStr, CString};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quinn_proto as quic;
use quinn_proto::rustls;
use wlink_sys::*;

const FILE: usize = 2_000_000;
/// Of IPv4 and UDP.
const HEADERS: usize = 28;

/// A link, and the datagrams that have been sent into it; their cookies are their numbers.
struct Link {
    link: *mut wlink,
    data: Vec<Vec<u8>>,
    drops: u64,
}

impl Link {
    fn new(words: &str) -> Link {
        let mut error = [0; WLINK_ERROR_BYTES as usize];
        let words = CString::new(words).unwrap();
        let link = unsafe { wlink_new(words.as_ptr(), 0, error.as_mut_ptr()) };
        assert!(!link.is_null(), "{:?}", unsafe {
            CStr::from_ptr(error.as_ptr())
        });
        Link {
            link,
            data: Vec::new(),
            drops: 0,
        }
    }

    fn send(&mut self, now_ns: u64, data: &[u8], ecn: u32) {
        let (bytes, cookie) = ((data.len() + HEADERS) as u32, self.data.len() as u64);
        assert_eq!(
            unsafe { wlink_enqueue(self.link, 1, now_ns, bytes, ecn, cookie) },
            0
        );
        self.data.push(data.to_vec());
    }

    /// The next datagram that has arrived, and its ECN field.
    fn due(&mut self, now_ns: u64) -> Option<(&[u8], u8)> {
        assert_eq!(unsafe { wlink_advance(self.link, now_ns) }, 0);
        let mut sdu = unsafe { std::mem::zeroed::<wlink_sdu>() };
        while unsafe { wlink_due(self.link, &mut sdu) } == 1 {
            if sdu.drop.is_null() {
                return Some((&self.data[sdu.cookie as usize], sdu.ecn));
            }
            self.drops += 1;
        }
        None
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        unsafe { wlink_free(self.link) }
    }
}

/// An end of the connection, and the link that it sends into.
struct End {
    endpoint: quic::Endpoint,
    connection: Option<(quic::ConnectionHandle, quic::Connection)>,
    out: Link,
    to_send: usize,
    received: usize,
}

fn address(end: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, end as u8], 4433))
}

impl End {
    fn new(config: Option<quic::ServerConfig>, seed: u8, words: &str) -> End {
        let server = config.map(Arc::new);
        let endpoint = quic::Endpoint::new(Arc::default(), server, true, Some([seed; 32]));
        End {
            endpoint,
            connection: None,
            out: Link::new(words),
            to_send: 0,
            received: 0,
        }
    }

    fn receive(&mut self, now: Instant, from: SocketAddr, data: &[u8], ecn: u8) {
        let mut answer = Vec::new();
        let ecn = quic::EcnCodepoint::from_bits(ecn);
        match self
            .endpoint
            .handle(now, from, None, ecn, data.into(), &mut answer)
        {
            Some(quic::DatagramEvent::NewConnection(incoming)) => {
                self.connection = self.endpoint.accept(incoming, now, &mut answer, None).ok();
            }
            Some(quic::DatagramEvent::ConnectionEvent(_, event)) => {
                self.connection.as_mut().unwrap().1.handle_event(event);
            }
            _ => (),
        }
    }

    /// What an application does: the client writes the first stream, the server reads it.
    fn apply(connection: &mut quic::Connection, to_send: &mut usize, received: &mut usize) {
        let file = quic::StreamId::new(quic::Side::Client, quic::Dir::Uni, 0);
        while let Some(event) = connection.poll() {
            match event {
                quic::Event::Connected if *to_send > 0 => {
                    assert_eq!(connection.streams().open(quic::Dir::Uni), Some(file));
                }
                quic::Event::Stream(quic::StreamEvent::Opened { dir }) => {
                    assert_eq!(connection.streams().accept(dir), Some(file));
                }
                quic::Event::ConnectionLost { reason } => panic!("{reason}"),
                _ => (),
            }
        }
        if connection.side().is_client() {
            while *to_send > 0 {
                match connection
                    .send_stream(file)
                    .write(&[7; 65536][..(*to_send).min(65536)])
                {
                    Ok(bytes) => *to_send -= bytes,
                    Err(_) => break,
                }
            }
        } else if let Ok(mut chunks) = connection.recv_stream(file).read(true) {
            while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
                *received += chunk.bytes.len();
            }
            let _ = chunks.finalize();
        }
    }

    /// All that it does at this time. Returns when it has to do more, if nothing arrives before.
    fn work(&mut self, now: Instant, now_ns: u64) -> Option<Instant> {
        let (handle, connection) = self.connection.as_mut()?;
        if connection.poll_timeout().is_some_and(|at| at <= now) {
            connection.handle_timeout(now);
        }
        Self::apply(connection, &mut self.to_send, &mut self.received);
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
        let mut data = Vec::new();
        while let Some(sent) = connection.poll_transmit(now, 1, &mut data) {
            self.out.send(
                now_ns,
                &data[..sent.size],
                sent.ecn.map_or(0, |ecn| ecn as u32),
            );
            data.clear();
        }
        connection.poll_timeout()
    }
}

fn ends(begun: Instant, up: &str, down: &str) -> [End; 2] {
    let made = rcgen::generate_simple_self_signed(["server".into()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let server =
        quic::ServerConfig::with_single_cert(vec![certificate.clone()], key.into()).unwrap();
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate).unwrap();
    let config = quic::ClientConfig::with_root_certificates(Arc::new(roots)).unwrap();
    let mut client = End::new(None, 1, up);
    client.to_send = FILE;
    client.connection = client
        .endpoint
        .connect(begun, config, address(1), "server")
        .ok();
    [client, End::new(Some(server), 2, down)]
}

/// Returns seconds of virtual time, the packets that the link of the file has dropped, and those that quinn
/// believes to be lost.
fn transfer(up: &str, down: &str) -> (f64, u64, u64) {
    let begun = Instant::now();
    let mut ends = ends(begun, up, down);
    let mut now_ns = 0;
    while ends[1].received < FILE {
        assert!(
            now_ns < 600_000_000_000,
            "{} of {FILE} bytes in 10 minutes",
            ends[1].received
        );
        let now = begun + Duration::from_nanos(now_ns);
        let mut next_ns = WLINK_NEVER;
        for end in 0..2 {
            let [client, server] = &mut ends;
            let (from, to) = if end == 0 {
                (server, client)
            } else {
                (client, server)
            };
            while let Some((data, ecn)) = from.out.due(now_ns) {
                to.receive(now, address(1 - end), data, ecn);
            }
            let timer = to
                .work(now, now_ns)
                .map_or(WLINK_NEVER, |at| (at - begun).as_nanos() as u64);
            next_ns = next_ns.min(timer);
        }
        now_ns = ends
            .iter()
            .map(|end| unsafe { wlink_next_event(end.out.link) })
            .fold(next_ns, u64::min);
    }
    let quinns = ends[0].connection.as_ref().unwrap().1.stats();
    (
        now_ns as f64 / 1e9,
        ends[0].out.drops,
        quinns.path.lost_packets,
    )
}

#[test]
fn a_link_without_loss_is_filled() {
    let words = "rate 10mbit delay 20ms limit 2000";
    let (seconds, drops, lost) = transfer(words, words);
    let least = FILE as f64 * 8.0 / 10e6;
    assert!(seconds > least && seconds < 1.2 * least, "{seconds} s");
    assert_eq!((drops, lost), (0, 0));
}

#[test]
fn what_the_air_loses_quinn_finds() {
    let air = "rate 10mbit delay 20ms limit 2000 channel uniform loss 0.01 seed 7";
    let (_, drops, lost) = transfer(air, "rate 10mbit delay 20ms limit 2000");
    assert!(
        drops > 5 && lost.abs_diff(drops) <= 2,
        "{drops} dropped, {lost} lost"
    );
}

#[test]
fn a_train_is_the_same_each_time() {
    let run = || transfer("preset lte-train-up seed 7", "preset lte-train seed 7");
    let first = run();
    println!("{FILE} bytes from a train: {first:?}");
    assert!(first.0 > FILE as f64 * 8.0 / 3.496e6);
    assert_eq!(run(), first);
}
