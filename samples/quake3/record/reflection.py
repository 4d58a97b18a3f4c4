# What is asked in the sample 71-reflection.pcap: (seconds, source, port, time to live, query). It prints how many.
import random
import socket
import time

SERVER = ("192.0.2.10", 27960)
OOB = b"\xff\xff\xff\xff"
random.seed(7)

asked = []
for second in range(0, 30, 5):  # a monitor, every five seconds
    asked.append((second + 0.4, "203.0.113.7", 40007, 57, b"getstatus m%d\n" % second))
for n, at in enumerate((3.2, 11.7, 24.1)):  # the server browsers of three players
    browser = "203.0.113.%d" % (50 + n)
    asked.append((at, browser, 27961, 118, b"getinfo %08x\n" % (0x1357 * (n + 1))))
    asked.append((at + 0.031, browser, 27961, 118, b"getstatus\n"))
at = 8.0
while at < 20.0:  # the attack
    asked.append((at, "198.51.100.23", 80, 241, b"getstatus\n"))
    at += random.uniform(0.015, 0.045)
asked.sort()

sockets, begin = {}, time.time()
for at, source, port, ttl, query in asked:
    time.sleep(max(0, begin + at - time.time()))
    if source not in sockets:
        sockets[source] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sockets[source].setsockopt(socket.IPPROTO_IP, socket.IP_TTL, ttl)
        sockets[source].bind((source, port))
    sockets[source].sendto(OOB + query, SERVER)
time.sleep(2)
print(len(asked))
